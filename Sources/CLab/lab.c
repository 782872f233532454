// The script that makes hosts, as bytes of the executable, so that an installed one has it.
//
// `#embed` is C23 and an extension elsewhere; the compiler notes the embedded file as a dependency.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "lab.h"

static const unsigned char script[] = {
#embed "lab.sh"
};

const unsigned char *lab_script(void) { return script; }

size_t lab_script_count(void) { return sizeof script; }
