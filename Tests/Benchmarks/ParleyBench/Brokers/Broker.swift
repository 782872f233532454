import CBrokerLoad
import Foundation

/// A server that Parley is compared with, in one configuration.
enum Broker: String, Sendable, CaseIterable {
    /// The relay in C, which is the limit.
    case relay
    case nats
    /// NATS with JetStream, which keeps messages in files.
    case jetStream
    /// JetStream that syncs each message before it is acknowledged, which Debian's is too old for.
    case jetStreamAlways
    case redis
    /// Redis with an append-only file that is synced before each answer.
    case redisAlways
    /// As Redis; no package has a Valkey with TLS.
    case valkeyAlways
    case etcd
    case mosquitto

    /// The name in the tables.
    var name: String {
        switch self {
        case .relay: "C relay"
        case .nats: "NATS"
        case .jetStream: "JetStream"
        case .jetStreamAlways: "JetStream always"
        case .redis: "Redis"
        case .redisAlways: "Redis always"
        case .valkeyAlways: "Valkey always, no TLS"
        case .etcd: "etcd"
        case .mosquitto: "mosquitto"
        }
    }

    /// The protocol of the load generator.
    var kind: server_kind {
        switch self {
        case .relay: SERVER_RELAY
        case .nats, .jetStream, .jetStreamAlways: SERVER_NATS
        case .redis, .redisAlways, .valkeyAlways: SERVER_REDIS
        case .etcd: SERVER_ETCD
        case .mosquitto: SERVER_MQTT
        }
    }

    /// Whether the server speaks without TLS.
    var isPlain: Bool { self == .valkeyAlways }

    /// The command that runs the server; nil for the relay, which is in this executable.
    ///
    /// With a folder, one of Python's packages has the command somewhere in that folder.
    private var command: String? {
        switch self {
        case .relay: nil
        case .nats, .jetStream: "nats-server"
        case .jetStreamAlways: "bin/nats-server"
        case .redis, .redisAlways: "redis-server"
        case .valkeyAlways: "lib/valkey-server"
        case .etcd: "etcd"
        case .mosquitto: "mosquitto"
        }
    }

    /// The first line that the server prints about its version.
    func version() throws -> String {
        guard let executable = try executable() else { return "" }
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
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
        case .redis, .redisAlways, .valkeyAlways:
            let ports = isPlain ? "--port \(port)" : Self.redisTLS(certificates, port)
            return Self.redisArguments(directory, ports, isAlways: self != .redis)
        case .etcd: return try Self.etcdArguments(directory, certificates, port)
        case .nats, .jetStream, .jetStreamAlways:
            let always = self == .jetStreamAlways ? ", sync_interval: always" : ""
            let store = "jetstream { store_dir: \"\(directory)/js\"\(always) }\n"
            let text = Self.natsText(certificates, port) + (self == .nats ? "" : store)
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

    private static func redisTLS(_ certificates: String, _ port: UInt16) -> String {
        "--port 0 --tls-port \(port) --tls-auth-clients yes --tls-protocols TLSv1.3"
            + " --tls-cert-file \(certificates)/server.crt"
            + " --tls-key-file \(certificates)/server.key"
            + " --tls-ca-cert-file \(certificates)/ca.crt"
    }

    private static func redisArguments(
        _ directory: String,
        _ ports: String,
        isAlways: Bool
    ) -> [String] {
        let words =
            "--bind 127.0.0.1 \(ports) --client-output-buffer-limit pubsub 0 0 0"
            + " --loglevel warning --auto-aof-rewrite-percentage 0 --dir \(directory)"
            + (isAlways ? " --appendonly yes --appendfsync always" : " --appendonly no")
        return words.split(separator: " ").map(String.init) + ["--save", ""]
    }

    private static func etcdArguments(
        _ directory: String,
        _ certificates: String,
        _ port: UInt16
    ) throws(BenchError) -> [String] {
        let clients = "https://127.0.0.1:\(port)"
        let members = "http://127.0.0.1:\(try BrokerChild.freePort())"
        let words =
            "--name bench --data-dir \(directory)/etcd --logger zap --log-level error"
            + " --listen-client-urls \(clients) --advertise-client-urls \(clients)"
            + " --listen-peer-urls \(members) --initial-advertise-peer-urls \(members)"
            + " --initial-cluster bench=\(members) --client-cert-auth"
            + " --cert-file \(certificates)/server.crt --key-file \(certificates)/server.key"
            + " --trusted-ca-file \(certificates)/ca.crt"
        return words.split(separator: " ").map(String.init)
    }

    /// The executable of the server; nil for the relay.
    func executable() throws(BenchError) -> URL? {
        guard let command else { return nil }
        let words = command.split(separator: "/")
        guard words.count == 2 else { return try Self.executable(command) }
        let folder = ".build/peers/" + words[0]
        let files = FileManager.default.enumerator(atPath: folder)
        while let path = files?.nextObject() as? String {
            let file = folder + "/" + path
            if path.split(separator: "/").last == words[1],
                FileManager.default.isExecutableFile(atPath: file)
            {
                return URL(fileURLWithPath: file)
            }
        }
        throw .system(
            "\(folder) has no \(words[1]); Deploy/install-dependencies.sh --peers installs it"
        )
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
