import Synchronization

/// Measures how much memory an input takes beyond what was there, with hooks of the sanitizer.
enum HeapPeak {
    /// The part of a limit that does not grow with the input: tables, texts of errors, growth.
    private static let slack = 64 << 10

    static func install() {
        begin()
        #if SANITIZED
        _ = installHooks(
            { _, count in noteAllocated(count) },
            { address in noteFreed(allocatedSize(address)) }
        )
        #endif
    }

    static func begin() {
        live.store(0, ordering: .relaxed)
        peak.store(0, ordering: .relaxed)
    }

    static func check(inputBytes: Int, factor: Int) {
        let most = slack + factor * inputBytes
        let peak = peak.load(ordering: .relaxed)
        promise(peak <= most, "\(inputBytes) bytes took \(peak) of memory, at most \(most)")
    }
}

// Hooks must not allocate.
private let live = Atomic(0)
private let peak = Atomic(0)

private func noteAllocated(_ count: Int) {
    let now = live.add(count, ordering: .relaxed).newValue
    if now > peak.load(ordering: .relaxed) { peak.store(now, ordering: .relaxed) }
}

private func noteFreed(_ count: Int) { live.subtract(count, ordering: .relaxed) }

#if SANITIZED
@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void,
    _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> CInt

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ address: UnsafeRawPointer?) -> Int
#endif
