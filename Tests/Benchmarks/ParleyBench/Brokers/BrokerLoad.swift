import CBrokerLoad
import Foundation

/// A load for a broker, which the generator in C runs in this process.
struct BrokerLoad: Sendable {
    var readers = 1
    var topics = 1
    /// Whether JetStream keeps the last message of each topic, and all readers read all topics.
    var hasStream = false
    var size = 300
    /// The number of messages of the measurement, and of those before it.
    var messages = 0
    var warm = 0
    var pace = PACE_WINDOW
    var amount = Double(1 << 20)
    /// Whether the time of a late reader is measured, instead of deliveries.
    var isCatchUp = false
    /// Whether the calls that sync files are counted instead, which takes much longer.
    var countsSyncs = false

    /// The deliveries of the measurement.
    private var deliveries: Double {
        Double(messages * max(readers, 1)) / Double(hasStream || readers == 0 ? 1 : topics)
    }

    /// The figures.
    struct Outcome {
        /// The processor time of the server per delivery, or per message if there are no readers.
        let microsecondsPerDelivery: Double
        let messagesPerSecond: Double
        let seconds: Double
        /// For each message, also of those before the measurement; 0 if they are not counted.
        let syncs: Double
        let cipher: String
    }

    /// Starts the server, runs the load, and ends the server.
    func run(on broker: Broker, _ bench: Bench) throws -> Outcome {
        let certificates = try bench.certificates().directory
        let child = try ChildProcess(
            ["broker", broker.rawValue, bench.newDirectory(), certificates]
        )
        defer { child.end() }
        let words = try child.line().split(separator: " ")
        guard words.count == 2, let process = pid_t(words[0]), let port = UInt16(words[1]) else {
            throw BenchError.unexpected("no process and port of \(broker.name)")
        }
        let trace = countsSyncs ? try SyncTrace(of: process, file: bench.newDirectory()) : nil
        var result = load_result()
        let isDone = certificates.withCString { directory in
            var load = load()
            load.server = broker.kind
            load.port = port
            load.process = process
            load.certificates = directory
            load.is_plain = broker.isPlain
            load.readers = UInt32(readers)
            load.topics = UInt32(topics)
            load.has_stream = hasStream && broker.kind == SERVER_NATS
            load.payload = size
            load.warm = UInt64(warm)
            load.measured = UInt64(messages)
            load.pace = pace
            load.amount = amount
            return isCatchUp ? load_catch_up(&load, &result) : load_run(&load, &result)
        }
        guard isDone else {
            throw BenchError.wrongCount("\(broker.name): \(Self.text(of: result.error))")
        }
        return Outcome(
            microsecondsPerDelivery: result.server_seconds / deliveries * 1e6,
            messagesPerSecond: Double(messages) / result.seconds,
            seconds: result.seconds,
            syncs: try trace.map { Double(try $0.end()) / Double(messages + warm) } ?? 0,
            cipher: Self.text(of: result.cipher)
        )
    }

    /// The text of an array of characters in C that ends with a zero.
    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
