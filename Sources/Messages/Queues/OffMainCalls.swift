import Foundation
import Synchronization

/// Reports calls of `Messages` and `UIKit` that apps make on another queue than the main one.
///
/// Each function of each class is reported once in the life of the process, so that a timer of an
/// app cannot fill the log.
package enum OffMainCalls {
    /// A function that writes one line of a log.
    package typealias Log = @Sendable (String) -> Void

    private struct State {
        var reported: Set<String> = []
        var log: Log = writeToStandardError
    }

    /// The number of different functions that are reported; calls of further ones are not.
    private static let reportedMax = 256
    private static let state = Mutex(State())

    /// Sets where the lines go: to the node's log; standard error by default.
    package static func log(to log: @escaping Log) {
        state.withLock { $0.log = log }
    }

    /// Writes the line for a call, unless the same function of the same class had one.
    ///
    /// - Parameters:
    ///   - call: The function, as `#function` gives it.
    ///   - owner: The object whose function it is.
    ///   - outcome: The rest of the sentence: the fate of the call.
    package static func report(
        _ call: String,
        of owner: AnyObject,
        outcome: String = "it is done on the main queue instead"
    ) {
        let name = "\(String(reflecting: type(of: owner))).\(call)"
        let log: Log? = state.withLock { state in
            guard state.reported.count < reportedMax, state.reported.insert(name).inserted else {
                return nil
            }
            return state.log
        }
        log?("\(name) was called off the main queue; \(outcome)")
    }

    /// Writes a line about something that an app should not have done.
    package static func write(_ line: String) {
        state.withLock(\.log)(line)
    }

    private static func writeToStandardError(_ line: String) {
        // Nobody can be told that standard error cannot be written to.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
