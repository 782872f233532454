// Calls of Linux and glibc that Swift's module Glibc does not have.
//
// No header of the system is included: its types would else belong to this module as well.
#pragma once

/// A descriptor that becomes readable when the clock of the day jumps, as after the machine has
/// slept; -1 if there is none.
int parley_clock_signal(void);

/// Limits the heaps of malloc, sets the size from which on an allocation is mapped by itself, and
/// the unused memory at the end of a heap that goes back to the kernel, both in bytes.
void parley_tune_heaps(int heaps, int mapped_bytes, int unused_bytes);
