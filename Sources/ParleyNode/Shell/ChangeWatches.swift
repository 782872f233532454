import ParleyLoop
import ParleyTransport

/// The watches for what makes old connections doubtful: changes of the network, and sleep.
struct ChangeWatches {
    private let network: NetworkWatch
    private let wake: WakeWatch

    /// Watches that were not started; `changed` gets what has changed, on the executor's queue.
    init(on executor: QueueExecutor, changed: @escaping @Sendable (String) -> Void) {
        let network = NetworkWatch(on: executor) { _ in changed("addresses or interfaces") }
        self.network = network
        wake = WakeWatch(on: executor) { _ in
            changed("the machine was asleep")
            network.check()
        }
    }

    /// Starts both watches; must be called on the executor's queue.
    ///
    /// - Throws: the error of the watch for the network, while the other one works.
    func start() throws(TransportError) {
        wake.start()
        try network.start()
    }

    /// Stops the watches for good; must be called on the executor's queue.
    func stop() {
        network.stop()
        wake.stop()
    }
}
