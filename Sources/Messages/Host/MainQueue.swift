import Dispatch

/// The main queue, on which apps run.
package enum MainQueue {
    /// A mark that only the main queue, and queues that target it, carry.
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is on the main queue.
    ///
    /// `Thread.isMainThread` does not tell in a program that ends its main thread with
    /// `dispatchMain`: any thread of Dispatch then runs the work of the main queue.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

    /// Does `work` at once if the caller is on the main queue; otherwise reports the call and does
    /// `work` on the main queue later, in the order of the calls.
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
