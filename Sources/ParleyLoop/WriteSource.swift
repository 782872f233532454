import Dispatch

/// Calls a handler while a descriptor can be written, only as long as somebody waits for that.
///
/// A socket can be written nearly always, so the source is made when it is armed for the first time
/// and sleeps in between: an idle connection costs nothing here.
package final class WriteSource {
    private let descriptor: Descriptor
    private let executor: QueueExecutor
    private let handler: @Sendable () -> Void
    private var source: (any DispatchSourceWrite)?
    private var state = SourceState.paused

    /// Prepares to watch `descriptor`; `handler` runs on the executor's queue while armed.
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

    /// Calls the handler as long as the descriptor can be written, until `disarm`.
    package func arm() {
        guard state == .paused else { return }
        state = .running
        if let source {
            source.resume()
        } else {
            start()
        }
    }

    /// Stops the calls until the next `arm`; one that libdispatch has already begun still comes.
    package func disarm() {
        guard state == .running else { return }
        source?.suspend()
        state = .paused
    }

    package var isArmed: Bool { state == .running }

    /// Ends the calls for good and lets go of the descriptor.
    package func cancel() {
        guard state != .cancelled else { return }
        if let source {
            source.cancel()
            // A suspended source neither runs its cancel handler nor may be released.
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
