import Dispatch

/// Calls a handler whenever a descriptor is writable, but only while the source is armed.
///
/// A socket is writable nearly always. So the Dispatch source is made when it is first armed and is
/// suspended while disarmed: an idle connection costs nothing here.
package final class WriteSource {
    private let descriptor: Descriptor
    private let executor: QueueExecutor
    private let handler: @Sendable () -> Void
    private var source: (any DispatchSourceWrite)?
    private var state = SourceState.paused

    /// Makes a disarmed source for `descriptor`; `handler` runs on the executor's queue while
    /// armed.
    package init(
        _ descriptor: Descriptor,
        on executor: QueueExecutor,
        handler: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.executor = executor
        self.handler = handler
    }

    deinit {
        cancel()
    }

    /// Calls the handler whenever the descriptor is writable, until `disarm`.
    package func arm() {
        guard state == .paused else { return }
        state = .running
        if let source {
            source.resume()
        } else {
            start()
        }
    }

    /// Stops calling the handler until the next `arm`; a call that libdispatch has already
    /// scheduled still happens.
    package func disarm() {
        guard state == .running else { return }
        source?.suspend()
        state = .paused
    }

    package var isArmed: Bool { state == .running }

    /// Stops calling the handler for good and releases the descriptor.
    package func cancel() {
        guard state != .cancelled else { return }
        if let source {
            source.cancel()
            // A suspended source does not run its cancel handler, and releasing it would trap.
            if state == .paused { source.resume() }
        }
        source = nil
        state = .cancelled
    }

    private func start() {
        let descriptor = descriptor
        let source = DispatchSource.makeWriteSource(
            fileDescriptor: descriptor.number,
            queue: executor.queue
        )
        source.setEventHandler(handler: handler)
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        source.activate()
        self.source = source
    }
}
