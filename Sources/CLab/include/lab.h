#pragma once

#include <stddef.h>

/// The script `lab.sh`; the pointer is valid for ever.
const unsigned char *lab_script(void);

/// The number of its bytes.
size_t lab_script_count(void);

/// Opens a network device of the kind TAP that exists in a network namespace, a file; returns a
/// descriptor that does not block, or -1 and sets `errno`.
int lab_open_tap(const char *space, const char *device);
