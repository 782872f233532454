import CBrokerLoad
import Foundation

/// A server that Parley is compared with, in one configuration.
enum Broker: String, Sendable, CaseIterable {
    /// The relay in C, which is the limit.
    case relay
    case nats
    /// NATS with JetStream, which keeps messages in files.
    case jetStream
    case redis
    /// Redis with an append-only file that is synced before each answer.
    case redisAlways
    case mosquitto

    /// The name in the tables.
    var name: String {
        switch self {
        case .relay: "C relay"
        case .nats: "NATS"
        case .jetStream: "JetStream"
        case .redis: "Redis"
        case .redisAlways: "Redis always"
        case .mosquitto: "mosquitto"
        }
    }

    /// The protocol of the load generator.
    var kind: server_kind {
        switch self {
        case .relay: SERVER_RELAY
        case .nats, .jetStream: SERVER_NATS
        case .redis, .redisAlways: SERVER_REDIS
        case .mosquitto: SERVER_MQTT
        }
    }

    /// The command that runs the server; nil for the relay, which is in this executable.
    var command: String? {
        switch self {
        case .relay: nil
        case .nats, .jetStream: "nats-server"
        case .redis, .redisAlways: "redis-server"
        case .mosquitto: "mosquitto"
        }
    }

    /// The first line that the server prints about its version.
    func version() throws -> String {
        guard let command else { return "" }
        let process = Process()
        let output = Pipe()
        process.executableURL = try Self.executable(command)
        process.arguments = [self == .mosquitto ? "-h" : "--version"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first ?? ""
        return line.split(separator: " ").prefix(3).joined(separator: " ")
    }

    /// The arguments of the server; writes its configuration into `directory`.
    func arguments(
        directory: String,
        certificates: String,
        port: UInt16
    ) throws -> [String] {
        let file = directory + "/server.conf"
        switch self {
        case .relay: return []
        case .redis, .redisAlways:
            let isAlways = self == .redisAlways
            return Self.redisArguments(directory, certificates, port, isAlways: isAlways)
        case .nats, .jetStream:
            let store = self == .jetStream ? "jetstream { store_dir: \"\(directory)/js\" }\n" : ""
            let text = Self.natsText(certificates, port) + store
            try text.write(toFile: file, atomically: false, encoding: .utf8)
        case .mosquitto:
            let text = Self.mosquittoText(certificates, port)
            try text.write(toFile: file, atomically: false, encoding: .utf8)
        }
        return ["-c", file]
    }

    private static func natsText(_ certificates: String, _ port: UInt16) -> String {
        """
        listen: "127.0.0.1:\(port)"
        tls {
          cert_file: "\(certificates)/server.crt"
          key_file: "\(certificates)/server.key"
          ca_file: "\(certificates)/ca.crt"
          verify: true
        }

        """
    }

    private static func mosquittoText(_ certificates: String, _ port: UInt16) -> String {
        """
        listener \(port) 127.0.0.1
        cafile \(certificates)/ca.crt
        certfile \(certificates)/server.crt
        keyfile \(certificates)/server.key
        require_certificate true
        tls_version tlsv1.3
        allow_anonymous true
        persistence false
        max_queued_messages 0
        set_tcp_nodelay true
        log_type error
        user \(NSUserName())

        """
    }

    private static func redisArguments(
        _ directory: String,
        _ certificates: String,
        _ port: UInt16,
        isAlways: Bool
    ) -> [String] {
        let words =
            "--bind 127.0.0.1 --port 0 --tls-port \(port) --tls-auth-clients yes"
            + " --tls-protocols TLSv1.3 --client-output-buffer-limit pubsub 0 0 0"
            + " --loglevel warning --auto-aof-rewrite-percentage 0"
            + (isAlways ? " --appendonly yes --appendfsync always" : " --appendonly no")
        return words.split(separator: " ").map(String.init) + [
            "--save", "", "--dir", directory,
            "--tls-cert-file", certificates + "/server.crt",
            "--tls-key-file", certificates + "/server.key",
            "--tls-ca-cert-file", certificates + "/ca.crt",
        ]
    }

    /// Finds a command where Debian installs commands and servers, and on the PATH.
    static func executable(_ command: String) throws(BenchError) -> URL {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let places = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        for place in places {
            let file = place + "/" + command
            if FileManager.default.isExecutableFile(atPath: file) {
                return URL(fileURLWithPath: file)
            }
        }
        throw .system(
            "there is no \(command) here; Deploy/install-dependencies.sh --peers installs it"
        )
    }
}
