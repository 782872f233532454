import ParleyNode
import TestSupport
import Testing

/// Strangers that occupy connections delay nobody.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FloodTests {
    /// Regression: with 96 idle connections from 12 addresses a member was linked after 25 s, when
    /// the flood was over.
    @Test func aMemberIsServedDuringAFloodOfIdleConnections() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        _ = try await one.createConversation(named: "games")
        _ = try await one.send(Draft("?move"), to: "games")
        let invite = try await one.invite(to: "games").link
        let port = try #require(UInt16(address.split(separator: ":").last ?? ""))

        let before = try ResidentMemory.bytes()
        let flood = IdleFlood(96, sources: 12, toPort: port)
        try await eventually("200 connections of the flood") {
            flood.renew()
            return flood.opened >= 200
        }
        let growth = try ResidentMemory.bytes() - before

        let begin = ContinuousClock.now
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await two.join(invite)
        try await eventually("the message", within: .seconds(10)) {
            flood.renew()
            return try await two.urls("games") == ["?move"]
        }
        let wait = ContinuousClock.now - begin
        print("flood: \(flood.opened) connections, served after \(wait), \(growth >> 10) KiB more")
        #expect(growth <= 32 << 20)
        await nodes.stopAll()
    }
}
