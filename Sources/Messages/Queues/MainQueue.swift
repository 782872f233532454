import Dispatch

/// The main queue, on which apps run.
package enum MainQueue {
    /// A mark on the main queue, and on the queues that target the main queue.
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is on the main queue.
    ///
    /// `Thread.isMainThread` fails in a program whose main thread ended with `dispatchMain`: any
    /// thread of Dispatch then runs the work of the main queue.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

    /// Does `work` on the main queue: at once if the caller is there, otherwise later.
    ///
    /// Calls from elsewhere are reported, and keep their order.
    ///
    /// - Parameters:
    ///   - call: The function that the app called, as `#function` gives it.
    ///   - owner: The object whose function it is.
    ///   - work: The part of the function that needs the main actor.
    package static func run(
        _ call: String,
        of owner: AnyObject,
        _ work: @escaping @MainActor @Sendable () -> Void
    ) {
        if isCurrent { return MainActor.assumeIsolated(work) }
        OffMainCalls.report(call, of: owner)
        DispatchQueue.main.async { MainActor.assumeIsolated(work) }
    }
}
