import Logging
import ServiceLifecycle
import UnixSignals

/// Stops the services of a node on a signal, and logs the signal.
struct StopSignal: Service {
    let signals: [UnixSignal]
    let logger: Logger

    func run() async throws {
        let received = await UnixSignalsSequence(trapping: signals)
        for await signal in received.cancelOnGracefulShutdown() {
            logger.notice("stopping: \(signal)")
            return
        }
    }
}
