import ParleyCore
import ParleyLoop

/// The state that the connections of one transport share.
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
    /// A copy of the first `count` bytes of plaintext.
    func slice(_ count: Int) -> Slice {
        Slice([UInt8](UnsafeRawBufferPointer(rebasing: opened[..<count])))
    }
}
