import ParleyCore
import ParleyLoop

/// What the connections of one transport share.
final class ConnectionOwner {
    let executor: QueueExecutor
    let settings: TransportSettings
    let tls: TLSContext
    var counters = TransportCounters()

    init(executor: QueueExecutor, settings: TransportSettings, tls: TLSContext) {
        self.executor = executor
        self.settings = settings
        self.tls = tls
    }

    var window: TLSWindow { tls.window }
}

extension TLSWindow {
    /// The first `count` bytes of plaintext in a chunk of exactly that size.
    func slice(_ count: Int) -> Slice {
        Slice([UInt8](UnsafeRawBufferPointer(rebasing: opened[..<count])))
    }
}
