import Dispatch

/// Calls a handler whenever a descriptor is readable, until the source is cancelled.
///
/// A source belongs to one actor of the loop. Pausing, cancelling and releasing are safe in any
/// order.
///
/// Once both directions have ended (EPOLLHUP), libdispatch calls the handler one last time. An
/// owner that does not read to the end then never learns of the end.
package final class ReadSource {
    private let source: any DispatchSourceRead
    private var state: SourceState

    /// Starts to watch `descriptor`; `handler` runs on the executor's queue.
    ///
    /// The handler's argument says whether this may be its last call.
    package init(
        _ descriptor: Descriptor,
        on executor: QueueExecutor,
        handler: @escaping @Sendable (_ mayBeLast: Bool) -> Void
    ) {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor.number,
            queue: executor.queue
        )
        // The estimate of available bytes is 0 only at the end of the stream and after a hang-up.
        // The source and its handler refer to each other until the source is cancelled.
        source.setEventHandler { handler(source.data == 0) }
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        source.activate()
        self.source = source
        state = .running
    }

    deinit {
        cancel()
    }

    /// Stops calling the handler until `resume`; a call that libdispatch has already scheduled
    /// still happens.
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

    /// Stops calling the handler for good and releases the descriptor.
    package func cancel() {
        guard state != .cancelled else { return }
        source.cancel()
        // A suspended source does not run its cancel handler, and releasing it would trap.
        if state == .paused { source.resume() }
        state = .cancelled
    }
}
