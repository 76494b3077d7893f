#pragma once

#include <sys/prctl.h>

// What the processor and the kernel take of memory, for which Swift has no words.

/// Begins to fetch the cache line of an address, to be written; there need not be memory.
static inline void prefetch_line(const void *address) { __builtin_prefetch(address, 1, 3); }

/// Lets the process have huge pages where it asked for them, or none; 0 where that was done.
static inline int allow_huge_pages(int are_allowed) {
  return prctl(PR_SET_THP_DISABLE, are_allowed ? 0 : 1, 0, 0, 0);
}
