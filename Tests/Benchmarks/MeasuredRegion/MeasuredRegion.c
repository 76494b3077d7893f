#include "MeasuredRegion.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

// Of a thread each, so that other threads neither count nor are waited for.
static _Thread_local bool is_counting;
static _Thread_local uint64_t allocations;
static _Thread_local uint64_t allocated_bytes;

static uint64_t thread_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

__attribute__((noinline)) void region_body(void (*body)(void *), void *context) {
  body(context);
  // Keeps the call above from becoming a jump, after which this function would count as left.
  __asm__ volatile("" ::: "memory");
}

void region_measure(void (*body)(void *), void *context, struct region_cost *cost) {
  allocations = 0;
  allocated_bytes = 0;
  uint64_t begin = thread_nanoseconds();
  is_counting = true;
  region_body(body, context);
  is_counting = false;
  cost->nanoseconds += thread_nanoseconds() - begin;
  cost->allocations += allocations;
  cost->bytes += allocated_bytes;
}

__attribute__((noinline)) void region_benchmark_ended(void) {
  __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void region_keep(const void *value) {
  __asm__ volatile("" ::"r"(value) : "memory");
}

bool region_counts_allocations(void) {
#ifdef __GLIBC__
  return true;
#else
  return false;
#endif
}

#ifdef __GLIBC__

// A program's own definitions go before the library's, in all libraries it loads too.

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void note(size_t size) {
  if (is_counting) {
    allocations += 1;
    allocated_bytes += size;
  }
}

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  note(size);
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return EINVAL;
  }
  note(size);
  void *allocated = __libc_memalign(alignment, size);
  if (allocated == NULL) return ENOMEM;
  *memory = allocated;
  return 0;
}

#endif
