#pragma once

#include <stddef.h>

/// The script `lab.sh`; the pointer is valid for ever.
const unsigned char *lab_script(void);

/// The number of its bytes.
size_t lab_script_count(void);
