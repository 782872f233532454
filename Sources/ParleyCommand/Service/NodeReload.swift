import Dispatch
import Foundation
import Logging
import ParleyAPI
import ParleyNode
import ServiceLifecycle
import UnixSignals

/// Reads the configuration again on SIGHUP, without losing a link.
///
/// A closing terminal sends SIGHUP too, so only nodes without a terminal reload.
struct NodeReload: Service {
    let node: Node
    let log: ServiceLog
    let logger: Logger
    /// The configuration with which the node was started.
    let started: Configuration
    /// Reads the configuration as the start did.
    let load: @Sendable () throws(Problem) -> Configuration
    /// The queue for reading the file: a file server that hangs blocks no thread of the services.
    private let queue = DispatchQueue(label: "parley.configuration")
    /// The longest that a reload waits for the file.
    private static let patience = Duration.seconds(10)

    /// Whether the process has a terminal, such as a window or an ssh session.
    static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    func run() async throws {
        var current = started
        let signals = await UnixSignalsSequence(trapping: .sighup)
        for await _ in signals.cancelOnGracefulShutdown() {
            ServiceNotice.send("RELOADING=1\nMONOTONIC_USEC=\(Self.microseconds)")
            // Nil if the node is stopping.
            guard let loaded = await loaded() else { return }
            do throws(Problem) {
                let new = try loaded.get()
                await take(new, after: current)
                current = new
            } catch {
                let sentence = FileProblem.sentence(error)
                logger.error("nothing is reloaded: \(sentence) \(error.hint)")
            }
            ServiceNotice.send("READY=1")
        }
    }

    private func loaded() async -> Result<Configuration, Problem>? {
        let (results, result) = AsyncStream.makeStream(of: Result<Configuration, Problem>.self)
        queue.async { [load] in
            do throws(Problem) {
                result.yield(.success(try load()))
            } catch {
                result.yield(.failure(error))
            }
        }
        let late = Problem(
            .noFile,
            "The configuration was not read within \(Self.patience.components.seconds) s.",
            hint: "See why its disk or its server does not answer, and reload again."
        )
        return await withTaskGroup(of: Result<Configuration, Problem>?.self) { group in
            group.addTask { await results.cancelOnGracefulShutdown().first { _ in true } }
            group.addTask {
                do { try await Task.sleep(for: Self.patience) } catch { return nil }
                return .failure(late)
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func take(_ new: Configuration, after old: Configuration) async {
        let changes = new.changes(from: old)
        log.options = new.options.log
        let (before, now) = (old.options.peers, new.options.peers)
        await node.dial(now.filter { !before.contains($0) })
        let (taken, waiting) = (changes.filter(\.isReloaded), changes.filter { !$0.isReloaded })
        logger.notice("reloaded: \(Self.list(taken, besides: "nothing has changed"))")
        // A restart would change every difference from the start, not only from the last reload.
        let pending = new.changes(from: started).filter { !$0.isReloaded }
        if !before.allSatisfy(now.contains) {
            logger.warning("peers that are named no more are dialled until a restart")
        }
        if !waiting.isEmpty {
            logger.warning("these need a restart: \(Self.list(pending, besides: "none any more"))")
        }
    }

    private static func list(_ keys: [ConfigurationKey], besides none: String) -> String {
        keys.isEmpty ? none : keys.map(\.name).joined(separator: ", ")
    }

    /// The monotonic clock, which a service manager compares with its own.
    private static var microseconds: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000 }
}
