#ifndef MEASURED_REGION_H
#define MEASURED_REGION_H

#include <stdbool.h>
#include <stdint.h>

/// What regions have cost so far.
struct region_cost {
  /// Calls of malloc and its family by the thread of the region.
  uint64_t allocations;
  /// Bytes that those calls asked for.
  uint64_t bytes;
  /// Processor time of the thread.
  uint64_t nanoseconds;
};

/// Whether allocations can be counted here: only on glibc, which gives its own under other names.
bool region_counts_allocations(void);

/// Calls `body` and adds to `cost` what it costs.
void region_measure(void (*body)(void *), void *context, struct region_cost *cost);

/// The call of a body, and nothing else: where a profiler collects, by this name.
void region_body(void (*body)(void *), void *context);

/// Does nothing: where a profiler writes down what it has collected, by this name.
void region_benchmark_ended(void);

/// Takes a value whose making must not be optimised away.
void region_keep(const void *value);

#endif
