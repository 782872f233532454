import Foundation
import Logging
import ParleyAPI
import Synchronization

/// The log of a node on standard error, whose level and form can change while it runs.
final class ServiceLog: Sendable {
    private let current: Mutex<LogOptions>

    init(_ options: LogOptions) {
        current = Mutex(options)
    }

    var options: LogOptions {
        get { current.withLock(\.self) }
        set { current.withLock { $0 = newValue } }
    }

    /// Makes all loggers of the process write here.
    func bootstrap() {
        LoggingSystem.bootstrap { Handler(log: self, label: $0) }
    }

    private struct Handler: LogHandler {
        let log: ServiceLog
        let label: String
        var metadata: Logger.Metadata = [:]
        private var ownLevel: Logger.Level?

        init(log: ServiceLog, label: String) {
            self.log = log
            self.label = label
        }

        var logLevel: Logger.Level {
            get { max(ownLevel ?? .trace, log.options.level(of: label)) }
            set { ownLevel = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = LogLine(
                level: event.level,
                label: label,
                metadata: metadata.merging(event.metadata ?? [:]) { $1 },
                source: event.source,
                message: "\(event.message)"
            )
            // One write for each line, so that lines of several threads do not mix.
            let text =
                switch log.options.format {
                case .text: line.text
                case .json: line.json
                }
            Output.error.bytes(Data("\(text)\n".utf8))
        }
    }
}

/// A line of the log.
struct LogLine {
    let time = Date()
    let level: Logger.Level
    let label: String
    let metadata: Logger.Metadata
    let source: String
    let message: String

    private struct Document: Encodable {
        let time: String
        let level: String
        let label: String
        let message: String
        let metadata: [String: String]
    }

    /// The line for people, without line breaks.
    var text: String {
        let facts = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        let words = TerminalText.safe("\(facts.joined()) [\(source)] \(message)")
        return "\(stamp) \(level) \(label):\(words)"
    }

    /// The line as an object, for programs.
    var json: String {
        let document = Document(
            time: stamp,
            level: level.rawValue,
            label: label,
            message: message,
            metadata: metadata.mapValues { "\($0)" }
        )
        // Encoding texts never fails.
        return (try? JSON.encode(document)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    private var stamp: String {
        time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
