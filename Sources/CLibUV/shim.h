#include <uv.h>

// Declared by <sys/mman.h> for programs with GNU extensions only.
int memfd_create(const char *name, unsigned int flags);
