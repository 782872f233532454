import ParleyCore
import ParleyKeys
import ParleyNode
import TestSupport
import Testing

/// Which lines of a node's log are those of strangers.
@Suite(.timeLimit(.minutes(5)))
struct StrangersLogTests {
    /// Regression: with a key of its own for each link, a stranger wrote 10 MB in 150 s.
    @Test func strangersThatOnlySayHelloDoNotFillTheLog() async throws {
        let nodes = try TestNodes()
        let log = LogLines()
        var settings = nodes.settings("one")
        settings.log = log.output
        let (one, ready) = try await nodes.start(settings)
        let address = try #require(ready.addresses.first)
        _ = try await one.createConversation(named: "games")
        // An address from which nobody has proved a conversation would have to wait.
        let (two, member) = try await nodes.start(nodes.settings("two", peers: [address]))
        _ = try await two.join(try await one.invite(to: "games").link)
        try await eventually("two is linked") { await one.peers().count == 1 }
        log.advance(by: 60)
        _ = log.take()

        for _ in 1...200 { try await visit(address) }
        let lines = log.take()
        #expect(lines.count == LogGate.strangersPerMinute, "\(lines.last ?? "")")
        #expect(lines.allSatisfy { $0.contains("link") }, "links that begin and end")

        // A member has its lines beside them.
        await two.stop()
        let name = member.device.filter { $0 != "-" }.prefix(8)
        try await eventually("the line of a member") {
            log.take().contains { $0.hasPrefix(name) && $0.contains("link closed") }
        }

        log.advance(by: 60)
        try await visit(address)
        let later = log.take()
        #expect(later.first == "strangers: 340 lines because of them were left out in a minute")
        #expect(later.count { $0.hasPrefix("strangers: ") } == 1)
        await nodes.stopAll()
    }

    /// Regression: nodes that share nothing meet again and again, and each time was logged.
    @Test func onlyTheFirstLinkOfADeviceThatSharesNothingIsNews() async throws {
        let nodes = try TestNodes()
        let log = LogLines()
        var settings = nodes.settings("one")
        settings.log = log.output
        let (_, ready) = try await nodes.start(settings)
        let address = try #require(ready.addresses.first)
        let key = DeviceKey.random()
        _ = log.take()
        for _ in 1...3 { try await visit(address, as: key, saying: .nothingShared) }
        // A device of which nothing is known is news.
        try await visit(address)
        let events = log.take().map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(events.count == 4, "\(events)")
        #expect(events.filter { $0.hasPrefix("linked: ") }.count == 2)
        await nodes.stopAll()
    }

    /// One stranger comes, and has gone for the node as well.
    private func visit(
        _ address: String,
        as key: DeviceKey = DeviceKey.random(),
        saying goodbye: GoodbyeReason? = nil
    ) async throws {
        let visitor = try Visitor(to: address, as: key, saying: goodbye)
        try await eventually("a visitor has left") { visitor.hasLeft }
    }
}
