import CBrokerLoad
import Foundation
import Glibc

/// A server that Parley is compared with, as the child of a process that ends it when its own input
/// ends: whatever becomes of the benchmark, no server remains.
enum BrokerChild {
    /// The seconds that a server has to accept connections, and to end.
    private static let patience = 10.0

    /// Runs the child, which prints the server's process and port.
    ///
    /// The arguments are the name of the broker, its directory, which is removed at the end, and
    /// the directory of the certificates.
    static func run(_ arguments: ArraySlice<String>) throws {
        let words = Array(arguments)
        guard words.count == 3, let broker = Broker(rawValue: words[0]) else {
            throw BenchError.usage("broker NAME DIRECTORY CERTIFICATES")
        }
        signal(SIGINT, SIG_IGN)
        unblockSignals()
        try FileManager.default.createDirectory(
            atPath: words[1],
            withIntermediateDirectories: true
        )
        // Files that cannot be removed do no harm.
        defer { try? FileManager.default.removeItem(atPath: words[1]) }
        if let executable = try broker.executable() {
            try serve(broker, executable, directory: words[1], certificates: words[2])
        } else {
            try relay(directory: words[1], certificates: words[2])
        }
    }

    /// Lets signals through.
    ///
    /// This process has inherited the mask of a thread of Dispatch, and so would the server, for
    /// which SIGTERM would then wait for ever.
    private static func unblockSignals() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    private static func relay(directory: String, certificates: String) throws {
        let isEnded = relay_run(certificates, directory + "/journal") { port in
            NodeChild.answer("\(getpid()) \(port)")
        }
        guard isEnded else { throw BenchError.system("the relay failed, errno \(errno)") }
    }

    private static func serve(
        _ broker: Broker,
        _ executable: URL,
        directory: String,
        certificates: String
    ) throws {
        let port = try freePort()
        let log = directory + "/log"
        try Data().write(to: URL(fileURLWithPath: log))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        let process = Process()
        process.executableURL = executable
        process.arguments = try broker.arguments(
            directory: directory,
            certificates: certificates,
            port: port
        )
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        defer { end(process) }
        let deadline = ProcessMeter.now + patience
        while !isOpen(port) {
            guard process.isRunning, ProcessMeter.now < deadline else {
                let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw BenchError.system("\(broker.name) did not start: \(said.suffix(500))")
            }
            usleep(20_000)
        }
        NodeChild.answer("\(process.processIdentifier) \(port)")
        while readLine() != nil {}
    }

    private static func end(_ process: Process) {
        process.terminate()
        let deadline = ProcessMeter.now + patience
        while process.isRunning, ProcessMeter.now < deadline { usleep(5_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    // MARK: Ports

    /// A port of the loopback interface that nobody listens on.
    static func freePort() throws(BenchError) -> UInt16 {
        let port = withSocket(port: 0) { number, address, size in
            bind(number, address, size) == 0 && getsockname(number, address, &size) == 0
        }
        guard let port else { throw .system("there is no free port") }
        return port
    }

    private static func isOpen(_ port: UInt16) -> Bool {
        withSocket(port: port) { connect($0, $1, $2) == 0 } != nil
    }

    /// Calls `body` with a socket and an address of the loopback interface; returns the address's
    /// port after it, or nil if it returned false.
    private static func withSocket(
        port: UInt16,
        _ body: (Int32, UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool
    ) -> UInt16? {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isDone = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(number, $0, &size) }
        }
        return isDone ? UInt16(bigEndian: address.sin_port) : nil
    }
}
