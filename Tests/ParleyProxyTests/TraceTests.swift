import Foundation
import Glibc
import ParleyLoop
import ParleyProxy
import Synchronization
import TestSupport
import Testing

/// Traces, what is replayed from them, and figures.
struct TraceTests {
    private static let toxics = """
        [{"type":"corrupt","attributes":{"rate":0.01}},{"type":"latency","attributes":{"jitter":3}}]
        """

    /// Sends some bytes from the server, so many at a time, and waits until the faults are noted.
    private static func run(_ rig: ProxyRig, _ size: Int) async throws {
        let (client, server) = try await rig.pair()
        var left = [UInt8](repeating: 0, count: 10_000)[...]
        while !left.isEmpty {
            try await server.send(left.prefix(size))
            left = left.dropFirst(size)
        }
        _ = try await client.receive(10_000)
        await rig.ask("GET", "/version")
    }

    /// Regression: a trace on a full disk was short, and nobody was told.
    @Test func aTraceThatCannotBeWrittenIsToldOnce() {
        let full = Descriptor(adopting: open("/dev/full", O_WRONLY))
        let told = Mutex<[Int32]>([])
        let trace = TraceFile(full, seed: 5) { code in told.withLock { $0.append(code) } }
        trace.changed(by: ControlRequest("DELETE", "/proxies/web"), at: 1)
        #expect(told.withLock(\.self) == [ENOSPC])
    }

    @Test func aReplayHasTheFaultsOfItsTrace() async throws {
        let directory = try TestDirectory()
        let path = directory.path("trace")
        let file = Descriptor(adopting: open(path, O_WRONLY | O_CREAT, 0o600))
        let rig = try await ProxyRig(
            seed: 5,
            observer: TraceFile(file, seed: 5) { Issue.record("no trace: \($0)") },
            toxics: Self.toxics
        )
        try await Self.run(rig, 10_000)
        let text = String(decoding: try directory.contents("trace"), as: UTF8.self)
        let recorded = try RecordedRun(text)
        #expect(recorded.seed == 5)
        #expect(recorded.changes.map(\.request.path) == ["/proxies"])
        let damage = try #require(recorded.faults.first { $0.key.toxic.hasPrefix("corrupt") })
        #expect((50...150).contains(damage.value.count))

        let judge = ReplayJudge(recorded)
        try await Self.run(try await ProxyRig(seed: 5, observer: judge, toxics: Self.toxics), 700)
        #expect(judge.verdict.equal >= damage.value.count)
        #expect(judge.verdict.difference?.now.place.toxic.hasPrefix("corrupt") != true)

        let other = ReplayJudge(recorded)
        try await Self.run(try await ProxyRig(seed: 6, observer: other, toxics: Self.toxics), 700)
        #expect(other.verdict.difference != nil)
    }

    @Test func whatIsNoTraceIsRefusedWithItsLine() {
        let texts = ["", #"{"seed":1}"#, "{\"trace\":1,\"seed\":1}\n{\"ms\":1}"]
        let lines = texts.map { text in
            do throws(TraceFault) {
                _ = try RecordedRun(text)
                return 0
            } catch {
                return error.line
            }
        }
        #expect(lines == [1, 1, 2])
    }

    @Test func aToxicOfSomeClientsLeavesOthersAlone() async throws {
        let rig = try await ProxyRig(
            toxics: #"""
                [{"type":"half_open","clients":["192.0.2.0/24"]},
                {"type":"noop","clients":["127.0.0.0/8","::1"]}]
                """#
        )
        let (client, server) = try await rig.pair()
        try await server.send("x".utf8)
        _ = try await client.receive(1)
        let list = await rig.ask("GET", "/proxies/web/toxics").body
        #expect(list.contains(#""toxicity":1,"clients":["192.0.2.0/24"]}"#))
        let wrong = #"{"type":"noop","name":"n","clients":["1.2.3.4/33"]}"#
        #expect(await rig.ask("POST", "/proxies/web/toxics", wrong).status == 400)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.2", false),
        ("192.168.4.0/22", "192.168.7.9", true), ("192.168.4.0/22", "192.168.8.9", false),
        ("0.0.0.0/0", "1.2.3.4", true),
    ])
    func rangesHaveTheirAddresses(range: String, address: String, isIn: Bool) throws {
        let bytes = address.split(separator: ".").compactMap { UInt8($0) }
        #expect(try #require(AddressRange(range)).contains(bytes) == isIn)
    }

    @Test func countersTellWhatWasDone() async throws {
        let rig = try await ProxyRig(toxics: #"[{"type":"timeout"}]"#)
        let (client, server) = try await rig.pair()
        try await server.send("lost".utf8)
        try await client.send("ab".utf8)
        _ = try await server.receive(2)
        let expected = """
            {"accepted":1,"open":1,"received":{"upstream":2,"downstream":4},\
            "sent":{"upstream":2,"downstream":0},"hits":{"timeout_downstream":1}}
            """
        try await eventually("count") {
            await rig.ask("GET", "/proxies/web/counters").body == expected
        }
        #expect(await rig.ask("DELETE", "/proxies/web/connections").status == 204)
        _ = try await client.receiveAll()
    }
}
