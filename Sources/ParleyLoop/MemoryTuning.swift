import CLinux

/// How a process that runs for long allocates memory.
package enum MemoryTuning {
    /// Lets little memory lie unused; call it before threads have started.
    ///
    /// glibc makes up to eight heaps for each processor, so that threads do not wait for one
    /// another, and memory that one thread frees is not used by others. The work of a node moves
    /// from thread to thread of libdispatch, and one thread does most of it: two heaps are enough.
    /// Arrays of more than a mebibyte get memory of their own, which the kernel has back when they
    /// are freed.
    package static func keepLittleUnused() {
        parley_tune_heaps(2, 1 << 20, 4 << 20)
    }
}
