import Dispatch

/// Calls a handler whenever a descriptor can be read, until it is cancelled.
///
/// Owned by one actor of the loop. Pausing, cancelling and letting go are safe in every order.
///
/// libdispatch watches a descriptor no more once both directions have ended (EPOLLHUP): the handler
/// is called a last time, and whoever does not read to the end then never hears of the end.
package final class ReadSource {
    private let source: any DispatchSourceRead
    private var state: SourceState

    /// Starts to watch `descriptor`; `handler` runs on the executor's queue.
    ///
    /// It is told whether this may be its last call.
    package init(
        _ descriptor: Descriptor,
        on executor: QueueExecutor,
        handler: @escaping @Sendable (_ mayBeLast: Bool) -> Void
    ) {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor.number,
            queue: executor.queue
        )
        // The estimate of bytes is 0 at the end of the stream and after a hang-up, only then.
        // Cancelling frees the handler, and so ends this cycle.
        source.setEventHandler { handler(source.data == 0) }
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        source.activate()
        self.source = source
        state = .running
    }

    deinit {
        cancel()
    }

    /// Stops the calls until `resume`; one that libdispatch has already begun still comes.
    package func pause() {
        guard state == .running else { return }
        source.suspend()
        state = .paused
    }

    /// Undoes `pause`.
    package func resume() {
        guard state == .paused else { return }
        source.resume()
        state = .running
    }

    package var isPaused: Bool { state == .paused }

    /// Ends the calls for good and lets go of the descriptor.
    package func cancel() {
        guard state != .cancelled else { return }
        source.cancel()
        // A suspended source neither runs its cancel handler nor may be released.
        if state == .paused { source.resume() }
        state = .cancelled
    }
}
