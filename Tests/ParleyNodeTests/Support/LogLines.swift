import Logging
import ParleyNode
import Synchronization

/// The lines of a node's log, with a clock that a test sets.
final class LogLines: Sendable {
    private struct State {
        var lines: [String] = []
        var seconds: UInt64 = 1_000
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let peer = event.metadata?["peer"].map { "\($0) " } ?? ""
            lines.state.withLock { $0.lines.append("\(peer)\(event.message)") }
        }
    }

    private let state = Mutex(State())

    /// What a node with this log has in its settings.
    var output: LogOutput {
        var output = LogOutput()
        output.logger = { _ in Logger(label: "test") { _ in Handler(lines: self) } }
        output.seconds = { self.state.withLock { $0.seconds } }
        return output
    }

    /// Lets time pass for the log.
    func advance(by seconds: UInt64) { state.withLock { $0.seconds += seconds } }

    /// Takes the lines so far, each of which begins with its peer.
    func take() -> [String] {
        state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }
}
