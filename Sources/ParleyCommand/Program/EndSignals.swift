import Foundation
import UnixSignals

/// Ctrl-C, `kill` and a terminal that is closed, for a program that has to do something before it
/// ends.
struct EndSignals: Sendable {
    /// One that came.
    struct End: Error {
        let number: Int32

        /// Ends the program as it would have without us; after `letGo`.
        func raise() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            // Dispatch keeps signals from its threads.
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            kill(getpid(), number)
        }
    }

    private let trapped: [UnixSignal]
    private let sequence: UnixSignalsSequence

    /// Traps them, but for those that the program was started to ignore, as by `nohup`.
    init() async {
        trapped = [.sigint, .sigterm, .sighup].filter { signal in
            var action = sigaction()
            sigaction(signal.rawValue, nil, &action)
            let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != ignored
        }
        sequence = await UnixSignalsSequence(trapping: trapped)
    }

    /// Throws `End` when one comes.
    func wait() async throws {
        for await signal in sequence { throw End(number: signal.rawValue) }
    }

    /// From here on each ends the program at once.
    func letGo() {
        for number in trapped { signal(number.rawValue, SIG_DFL) }
    }
}
