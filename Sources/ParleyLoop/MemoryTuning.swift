import CLinux

/// The memory allocation of a process that runs for long.
package enum MemoryTuning {
    /// Reduces the unused memory of the process; call this before threads have started.
    ///
    /// glibc makes up to eight heaps for each processor to spare threads waiting, and does not
    /// share memory freed in one heap with others. One thread of a node does most of the work, so
    /// two heaps are enough. Arrays of more than a mebibyte get separate memory, which returns to
    /// the kernel when the array is freed.
    package static func keepLittleUnused() {
        parley_tune_heaps(2, 1 << 20, 4 << 20)
    }
}
