import ParleyProxy
import TestSupport
import Testing

/// Connections through a proxy, with real sockets.
struct StreamTests {
    @Test func bytesPassInBothDirectionsAndAHalfCloseIsPassedOn() async throws {
        let rig = try await ProxyRig()
        let (client, server) = try await rig.pair()
        try await client.send("ask".utf8)
        client.sendEnd()
        let asked = try await server.receiveAll()
        #expect(asked.bytes == Array("ask".utf8))
        #expect(asked.end == .end)
        try await server.send("answer".utf8)
        server.sendEnd()
        let answered = try await client.receiveAll()
        #expect(answered.bytes == Array("answer".utf8))
        #expect(answered.end == .end)
    }

    @Test(arguments: ["[]", #"[{"type":"slicer","attributes":{"average_size":999}}]"#])
    func muchPassesWholeToASlowReader(toxics: String) async throws {
        let rig = try await ProxyRig(toxics: toxics)
        let (client, server) = try await rig.pair()
        var random = SeededRandom(seed: 4)
        let bytes = (0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        async let sending: Void = server.send(bytes)
        let first = try await client.receive(1_000)
        try await sending
        server.sendEnd()
        let rest = try await client.receiveAll()
        let isWhole = first + rest.bytes == bytes
        #expect(isWhole)
        #expect(rest.end == .end)
    }

    @Test func whatASenderLeftBehindArrivesThoughBothStreamsHaveEnded() async throws {
        let rig = try await ProxyRig(toxics: #"[{"type":"bandwidth"}]"#)
        var (client, server): (TestSocket, TestSocket?) = try await rig.pair()
        client.sendEnd()
        _ = try await server?.receiveAll()
        // More than one turn of reads, and less than the buffers of the kernel.
        try await server?.send([UInt8](repeating: 1, count: 2_000_000))
        server = nil
        await rig.ask("DELETE", "/proxies/web/toxics/bandwidth_downstream")
        let got = try await client.receiveAll()
        #expect(got.bytes.count == 2_000_000)
        #expect(got.end == .end)
    }

    @Test func slowAcceptDialsLater() async throws {
        let rig = try await ProxyRig(
            toxics: #"[{"type":"slow_accept","attributes":{"delay":80}}]"#
        )
        let start = ContinuousClock.now
        let (client, server) = try await rig.pair()
        #expect(ContinuousClock.now - start >= .milliseconds(80))
        try await client.send("x".utf8)
        _ = try await server.receive(1)
        #expect(
            await rig.ask("GET", "/proxies/web/counters").body.contains(#"accept_downstream":1}"#)
        )
    }

    @Test func aShareOfConnectionsIsRefusedByAReset() async throws {
        let rig = try await ProxyRig(toxics: #"[{"type":"refuse","toxicity":0.5}]"#)
        var ends: Set<TestSocket.End> = []
        for _ in 0..<40 where ends.count < 2 {
            let client = try TestSocket.connected(to: rig.port)
            client.sendEnd()
            ends.insert(try await client.end(closing: rig.server))
        }
        #expect(ends.count == 2)
    }

    @Test func aResetIsPassedOn() async throws {
        let rig = try await ProxyRig()
        var (client, server): (TestSocket, TestSocket?) = try await rig.pair()
        try await client.send("x".utf8)
        _ = try await server?.receive(1)
        server?.resetOnClose()
        server = nil
        #expect(try await client.receiveAll().end == .reset)
    }

    @Test func aServerThatRefusesEndsTheClientsStream() async throws {
        let rig = try await ProxyRig()
        let gone = try ReservedPort()
        defer { withExtendedLifetime(gone) {} }
        let upstream = #"{"upstream":"127.0.0.1:\#(gone.number)"}"#
        let update = await rig.ask("PATCH", "/proxies/web", upstream)
        #expect(update.status == 200)
        let client = try TestSocket.connected(to: rig.port)
        try await client.send("x".utf8)
        #expect(try await client.receiveAll().end == .end)
    }

    @Test func latencyHoldsBytesBackAndLetsThemGoWhenRemoved() async throws {
        let rig = try await ProxyRig()
        let (client, server) = try await rig.pair()
        let made = await rig.ask(
            "POST",
            "/proxies/web/toxics",
            #"{"type":"latency","attributes":{"latency":60000}}"#
        )
        #expect(made.status == 200)
        try await server.send("late".utf8)
        try await client.send("up".utf8)
        _ = try await server.receive(2)
        #expect(client.arrived().isEmpty)
        #expect(await rig.ask("DELETE", "/proxies/web/toxics/latency_downstream").status == 204)
        #expect(try await client.receive(4) == Array("late".utf8))
    }

    @Test func latencyIsNeverShorter() async throws {
        let rig = try await ProxyRig(toxics: #"[{"type":"latency","attributes":{"latency":50}}]"#)
        let (client, server) = try await rig.pair()
        try await server.send("x".utf8)
        let start = ContinuousClock.now
        _ = try await client.receive(1)
        let time = ContinuousClock.now - start
        #expect(time > .milliseconds(49), "\(time)")
    }

    @Test func aStalledDirectionStopsReadingAndTheOtherOneGoesOn() async throws {
        let rig = try await ProxyRig(toxics: #"[{"type":"bandwidth"}]"#)
        let (client, server) = try await rig.pair()
        try await server.send([UInt8](repeating: 7, count: 100_000))
        try await client.send("up".utf8)
        #expect(try await server.receive(2) == Array("up".utf8))
        #expect(client.arrived().isEmpty)
        await rig.ask("POST", "/reset")
        #expect(try await client.receive(100_000).allSatisfy { $0 == 7 })
    }

    @Test func theLimitPassesExactlyItsBytes() async throws {
        let rig = try await ProxyRig(toxics: #"[{"type":"limit_data","attributes":{"bytes":5}}]"#)
        let (client, server) = try await rig.pair()
        try await server.send("0123456789".utf8)
        let got = try await client.receiveAll()
        #expect(got.bytes == Array("01234".utf8))
        #expect(got.end == .end)
    }

    @Test func resetPeerResetsConnectionsThatWereThereBefore() async throws {
        let rig = try await ProxyRig()
        let (client, server) = try await rig.pair()
        await rig.ask("POST", "/proxies/web/toxics", #"{"type":"reset_peer","stream":"upstream"}"#)
        try await client.send("x".utf8)
        #expect(try await client.receiveAll().end == .reset)
        #expect(try await server.receiveAll().end == .reset)
    }

    @Test func halfOpenHidesTheEndOfTheServer() async throws {
        let rig = try await ProxyRig(toxics: #"[{"type":"half_open"}]"#)
        var (client, server): (TestSocket, TestSocket?) = try await rig.pair()
        try await client.send("a".utf8)
        _ = try await server?.receive(1)
        server = nil
        for _ in 0..<20 { try await client.send("more".utf8) }
        await rig.ask("GET", "/proxies")
        #expect(client.arrived().isEmpty)
        await rig.ask("DELETE", "/proxies/web/toxics/half_open_downstream")
        _ = try await client.receiveAll()
    }

    @Test func refusingIsARefusalOfTheKernel() async throws {
        let rig = try await ProxyRig()
        await rig.ask("POST", "/proxies/web/toxics", #"{"type":"refuse"}"#)
        #expect(throws: (any Error).self) { try TestSocket.connected(to: rig.port) }
        await rig.ask("DELETE", "/proxies/web/toxics/refuse_downstream")
        _ = try await rig.pair()
    }

    @Test func disablingCutsConnectionsAndKeepsToxics() async throws {
        let rig = try await ProxyRig(toxics: #"[{"type":"noop"}]"#)
        let (client, _) = try await rig.pair()
        let answer = await rig.ask("PATCH", "/proxies/web", #"{"enabled":false}"#)
        #expect(
            answer.body.contains(#""enabled":false"#) && answer.body.contains("noop_downstream")
        )
        _ = try await client.receiveAll()
        #expect(throws: (any Error).self) { try TestSocket.connected(to: rig.port) }
        #expect(await rig.ask("PATCH", "/proxies/web", #"{"enabled":true}"#).status == 200)
        _ = try await rig.pair()
    }

    @Test func theSameSeedDamagesTheSameBytesThroughSockets() async throws {
        let toxics = #"[{"type":"corrupt","attributes":{"rate":0.01}}]"#
        let zeros = [UInt8](repeating: 0, count: 50_000)
        var results: Set<[UInt8]> = []
        for size in [50_000, 1_111] {
            let rig = try await ProxyRig(seed: 77, toxics: toxics)
            let (client, server) = try await rig.pair()
            var left = zeros[...]
            while !left.isEmpty {
                try await server.send(left.prefix(size))
                left = left.dropFirst(size)
            }
            results.insert(try await client.receive(zeros.count))
        }
        #expect(results.count == 1)
        #expect(results.first != zeros)
    }
}
