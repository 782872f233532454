#include <stddef.h>

// How often each part of the core has run, by the counters of the compiler.

void counters_clear(void);
size_t counters_count(void);
int counters_has(size_t index);
