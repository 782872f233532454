import Dispatch
import Foundation
import ParleyNode
import Synchronization

/// Keeps the arrivals of a host in a file, so that apps hear of them after a restart.
///
/// The first change after a quiet second is written at once and later ones together after a second,
/// so a node that is killed forgets at most the last second.
@MainActor
final class ArrivalKeeper {
    private let file: KeptFile
    /// Asked for the arrivals when they are to be written.
    var arrivals: (@MainActor () -> Arrivals)?

    private let queue = DispatchQueue(label: "parley.apps.arrivals", qos: .utility)
    private let failures: FailureLog
    private var written: Arrivals
    private var isWaiting = false
    private var hasChanged = false

    /// The shortest time between two writes.
    private static let pause = DispatchTimeInterval.seconds(1)

    /// A keeper in that file; `log` writes a line to the log.
    init(_ file: KeptFile, log: @escaping @Sendable (String) -> Void) {
        self.file = file
        failures = FailureLog(log)
        written = Self.read(file, log)
    }

    /// The arrivals that an earlier host kept.
    var kept: Arrivals { written }

    /// Writes the arrivals soon.
    func changed() {
        hasChanged = true
        guard !isWaiting else { return }
        write { [queue] work in queue.async(execute: work) }
        isWaiting = true
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isWaiting = false
                if self.hasChanged { self.changed() }
            }
        }
    }

    /// Writes the arrivals if they have changed, and waits until they are on disk.
    func finish() {
        write { [queue] work in queue.sync(execute: work) }
        arrivals = nil
    }

    private func write(on run: (@escaping @Sendable () -> Void) -> Void) {
        hasChanged = false
        guard let now = arrivals?(), now != written else { return run {} }
        written = now
        run { [file, failures] in failures.write(now, to: file) }
    }

    private nonisolated static func read(
        _ file: KeptFile,
        _ log: @Sendable (String) -> Void
    ) -> Arrivals {
        do {
            guard let bytes = try file.read(atMost: Arrivals.bytesMax) else { return Arrivals() }
            return try JSONDecoder().decode(Arrivals.self, from: Data(bytes))
        } catch {
            log("messages that came while apps were closed are not known any more: \(error)")
            return Arrivals()
        }
    }
}

/// Writes arrivals, and logs the first of several failures in a row.
private final class FailureLog: Sendable {
    private let log: @Sendable (String) -> Void
    private let hasFailed = Mutex(false)

    init(_ log: @escaping @Sendable (String) -> Void) {
        self.log = log
    }

    func write(_ arrivals: Arrivals, to file: KeptFile) {
        do {
            try file.replace(with: Array(try JSONEncoder().encode(arrivals)))
            hasFailed.withLock { $0 = false }
        } catch {
            let isFirst = hasFailed.withLock { hasFailed in
                defer { hasFailed = true }
                return !hasFailed
            }
            guard isFirst else { return }
            log("messages that come while apps are closed are not kept for a restart: \(error)")
        }
    }
}
