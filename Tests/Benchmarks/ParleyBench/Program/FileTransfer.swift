import Foundation
import PageSupport
import ParleyAPI
import TestSupport

/// The transfer of one file from node to node, beside other programs over the same loopback
/// interface, in turns.
///
/// The disk is idle at the beginning of each, and has the whole file, synced, at the end. A virtual
/// machine gives pages that it does not use back to its host, and takes seconds for a GiB of new
/// ones, so each transfer begins just after a copy of the file was removed.
struct FileTransfer {
    /// The programs beside which Parley is measured.
    static let programs = ["bash", "curl", "openssl", "rsync"]

    private static let idle = "cp file spare; sync; rm spare; sync"

    private let files: TestDirectory

    /// Makes a file of `bytes` random bytes.
    init(_ bytes: Int) async throws {
        files = try TestDirectory()
        try await shell("head -c \(bytes) /dev/urandom >file")
    }

    /// From the command that accepts the file until it is whole, with the processor time of both
    /// nodes.
    func betweenNodes() async throws -> (seconds: Double, processor: [Double]) {
        let alice = try await PageNode("alice")
        let bob = try await PageNode("bob", peers: alice.ready.addresses)
        try await PagePair.share(alice, bob)
        let sent = try await alice.run("send", "--file", files.path("file"))
        let session = try JSON.decode(SentMessage.self, from: sent).session
        try await eventually("the offer") {
            try await String(decoding: bob.run("files"), as: UTF8.self).contains("\(session)")
        }
        let meters = try [alice, bob].map { try ProcessMeter($0.processID) }
        let used = meters.map(\.processorSeconds)
        try await shell(Self.idle)
        let begin = ProcessMeter.now
        _ = try await bob.run("files", "--accept", "\(session)")
        // The file gets this name once it is synced.
        let whole = bob.data.appending(path: "files/\(session)").path
        try await eventually("the file", within: .seconds(300), every: .milliseconds(2)) {
            FileManager.default.fileExists(atPath: whole)
        }
        let seconds = ProcessMeter.now - begin
        let more = zip(meters, used).map { $0.processorSeconds - $1 }
        await alice.end()
        await bob.end()
        return (seconds, more)
    }

    /// With TLS 1.3, from openssl to curl.
    func throughTLS() async throws -> Double {
        try await copied(
            by: "curl --insecure --output copy https://127.0.0.1:$port/file; sync copy",
            from: "openssl s_server -accept 127.0.0.1:$port -key key -cert chain -tls1_3 -WWW",
            after: "openssl req -x509 -newkey ed25519 -nodes -subj /CN=bench -keyout key -out chain"
        )
    }

    /// Without TLS, with rsync.
    func withRsync() async throws -> Double {
        try await copied(
            by: "rsync --fsync rsync://127.0.0.1:$port/bench/file copy",
            from: "rsync --daemon --no-detach --address 127.0.0.1 --port $port --config settings",
            after: #"printf '[bench]\npath=.\nuid=%d\ngid=%d\n' $(id -u) $(id -g) >settings"#
        )
    }

    /// The seconds that a command takes to copy the file from a server, which is started after
    /// something that prepares it.
    private func copied(
        by command: String,
        from server: String,
        after preparation: String
    ) async throws -> Double {
        try await shell(
            """
            port=\(BrokerChild.freePort())
            \(preparation)
            \(server) &
            trap "kill $!" EXIT
            until (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null; do sleep 0.05; done
            rm -f copy
            \(Self.idle)
            begin=${EPOCHREALTIME/[.,]/}
            \(command)
            echo $((${EPOCHREALTIME/[.,]/} - begin)) >microseconds
            cmp file copy
            """
        )
        let words = String(decoding: try files.contents("microseconds"), as: UTF8.self)
        guard let microseconds = Double(words.dropLast()) else {
            throw BenchError.system("no duration: \(words)")
        }
        return microseconds / 1e6
    }

    /// Runs a script of bash, which must succeed, in the directory of the file.
    private func shell(_ script: String) async throws {
        let child = try Child(
            ["/usr/bin/env", "-C", files.url.path, "bash", "-ec", script],
            environment: ProcessInfo.processInfo.environment,
            output: files.path("output"),
            errors: files.path("errors")
        )
        guard await child.end() == 0 else {
            throw BenchError.system(String(decoding: try files.contents("errors"), as: UTF8.self))
        }
    }
}

extension ProgramMeasurements {
    static let pace = "MiB/s"
    static let besideTLS = "÷ TLS"

    /// The transfer of a file of 1 GiB.
    static func file(_ bench: Bench) async throws -> [Figure] {
        let mebibytes = bench.isQuick ? 64 : 1_024
        let transfer = try await FileTransfer(mebibytes << 20)
        let own = try await transfer.betweenNodes()
        let tls = try await transfer.throughTLS()
        let rsync = try await transfer.withRsync()
        return [
            Figure(pace, Double(mebibytes) / own.seconds),
            Figure("s processor, sender", own.processor[0]),
            Figure("s processor, receiver", own.processor[1]),
            Figure(besideTLS, tls / own.seconds), Figure("÷ rsync", rsync / own.seconds),
        ]
    }
}
