import Foundation
import Glibc
import Synchronization
import UnixSignals

/// Handles SIGINT, SIGTERM and SIGHUP for a program that has to clean up before it ends.
struct EndSignals: Sendable {
    /// A signal that was received.
    struct End: Error {
        let number: Int32

        /// Raises the signal again, which ends the program by the default action.
        func raise() {
            signal(number, SIG_DFL)
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            // Dispatch blocks signals on its threads.
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            Glibc.raise(number)
        }
    }

    private let trapped: [UnixSignal]
    private let sequence: UnixSignalsSequence

    /// Traps the signals, unless the program was started to ignore them, as by `nohup`.
    init() async {
        trapped = [.sigint, .sigterm, .sighup].filter { !Self.isIgnored($0) }
        sequence = await UnixSignalsSequence(trapping: trapped)
    }

    /// The signals that end a service, except `other`, which has another use.
    ///
    /// A closing terminal sends SIGHUP, which ends a service unless the program was started to
    /// ignore it.
    static func ofService(besides other: UnixSignal?) -> [UnixSignal] {
        [.sigterm, .sigint] + [.sighup].filter { $0 != other && !isIgnored($0) }
    }

    /// Whether the program was started to ignore a signal, as `nohup` does.
    static func isIgnored(_ signal: UnixSignal) -> Bool {
        var action = sigaction()
        sigaction(signal.rawValue, nil, &action)
        let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignored
    }

    /// Waits for a signal and throws it as `End`.
    func wait() async throws {
        for await signal in sequence { throw End(number: signal.rawValue) }
    }

    /// Does `body`; a signal ends the program instead, after `clean`.
    static func during<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result,
        clean: () -> Void
    ) async throws -> Result {
        let signals = await EndSignals()
        defer { signals.letGo() }
        let result = Mutex<Result?>(nil)
        do {
            try await FirstToEnd.of(
                { try await signals.wait() },
                {
                    let value = try await body()
                    result.withLock { $0 = value }
                }
            )
        } catch let end as End {
            clean()
            end.raise()
        }
        guard let value = result.withLock({ $0 }) else { throw CancellationError() }
        return value
    }

    /// Restores the default actions, so that a signal ends the program at once.
    func letGo() {
        for number in trapped { signal(number.rawValue, SIG_DFL) }
    }
}
