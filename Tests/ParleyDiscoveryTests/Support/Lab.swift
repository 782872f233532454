import Foundation
import Testing

extension Tag {
    /// Needs hosts of `Sources/CLab/lab.sh`.
    @Tag static var lab: Self
}

/// Hosts on one switch, made by `Sources/CLab/lab.sh`; this process uses the bus of one of them.
struct Lab: Sendable {
    let prefix: String

    static let isPossible =
        PrivateDaemons.isPossible
        && ["/usr/sbin/nft", "/usr/bin/avahi-publish", "/usr/bin/avahi-browse"]
            .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    static let reason: Comment = "needs root, nftables and avahi-utils"

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/CLab/lab.sh").standardized.path

    /// Runs `body` with a lab of its own; `host` is the one whose bus this process uses.
    static func with(
        hosts: Int,
        host: Int,
        _ body: (Lab) async throws -> Void
    ) async throws {
        let lab = Lab(prefix: "t\(getpid())")
        defer { _ = try? lab("down") }
        try lab("up", String(hosts))
        let bus = "/run/parley-lab/\(lab.prefix)/host\(host)/run/dbus/system_bus_socket"
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(bus)", 1)
        try await body(lab)
    }

    /// Runs a verb of the lab and returns what it printed.
    @discardableResult
    func callAsFunction(_ arguments: String...) throws -> String {
        try shell(([Self.script, "-p", prefix] + arguments).joined(separator: " "))
    }

    /// Starts a program in a host; its output goes to the file that is returned.
    func start(_ program: String, in host: Int) throws -> (pid: String, output: String) {
        let output = "/run/parley-lab/\(prefix)/\(UUID().uuidString)"
        let pid = try shell(
            "\(Self.script) -p \(prefix) exec \(host) \(program) >\(output) 2>&1 & echo $!"
        )
        return (pid.trimmingCharacters(in: .whitespacesAndNewlines), output)
    }
}

/// Runs a shell command and returns what it printed.
///
/// It does not use Foundation's `Process`, whose run loops keep descriptors open.
@discardableResult
func shell(_ command: String) throws -> String {
    let output = "/tmp/parley-test.\(UUID().uuidString)"
    // Threads of Dispatch block all signals, and a child process inherits the mask.
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    let status = system("(\(command)) >\(output) 2>&1")
    pthread_sigmask(SIG_SETMASK, &before, nil)
    let words = try String(contentsOfFile: output, encoding: .utf8)
    try FileManager.default.removeItem(atPath: output)
    try #require(status == 0, "\(command): \(words)")
    return words
}
