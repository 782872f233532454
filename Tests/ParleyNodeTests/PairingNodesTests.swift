import Foundation
import ParleyNode
import TestSupport
import Testing

/// Two people share a conversation by comparing six digits.
@Suite(.timeLimit(.minutes(5)))
struct PairingNodesTests {
    /// The pairing of a node, once it is at a stage.
    private func pairing(
        of node: Node,
        _ what: String,
        _ isMeant: @escaping @Sendable (PairingState.Stage) -> Bool
    ) async throws -> PairingState {
        try await eventually(what) { await node.pairings().first { isMeant($0.stage) } }
    }

    private func digits(of node: Node) async throws -> (id: String, digits: String) {
        let state = try await pairing(of: node, "the digits") {
            if case .comparing = $0 { true } else { false }
        }
        guard case .comparing(let digits, _) = state.stage else { return (state.id, "") }
        return (state.id, digits)
    }

    @Test func aConversationIsSharedWithoutALink() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        // Of the same name, and another one.
        _ = try await two.createConversation(named: "games")
        let started = try await eventually("two is nearby") {
            try? await one.pair(with: "two", sharing: "games")
        }
        #expect(started.stage == .waiting)
        let asked = try await pairing(of: two, "the request") {
            $0 == .asked(shares: true)
        }
        #expect(asked.name == "one")
        _ = try await two.pair(with: asked.device)
        let first = try await digits(of: one)
        let second = try await digits(of: two)
        #expect(first.digits == second.digits)
        #expect(first.digits.count == 6)
        _ = try await one.confirmPairing(first.id)
        #expect(try await two.conversations().count == 1, "only one person has confirmed")
        _ = try await two.confirmPairing(second.id)
        let done = try await pairing(of: two, "the end") {
            $0 == .ended(.done(joined: "games 2"))
        }
        #expect(done.hasEnded)
        _ = try await pairing(of: one, "the end") { $0 == .ended(.done(joined: nil)) }
        _ = try await one.send(Draft("?move=1"), to: "games")
        _ = try await eventually("the message") {
            try await two.urls("games 2") == ["?move=1"] ? true : nil
        }
        await one.stop()
        await two.stop()
    }

    @Test func nothingIsSharedIfOnePersonDeclines() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await eventually("two is nearby") {
            try? await one.pair(with: "two", sharing: "games")
        }
        let asked = try await pairing(of: two, "the request") {
            $0 == .asked(shares: true)
        }
        _ = try await two.pair(with: asked.device)
        let first = try await digits(of: one)
        _ = try await one.confirmPairing(first.id)
        try await two.cancelPairing(asked.id)
        _ = try await pairing(of: one, "the refusal") { $0 == .ended(.declined) }
        #expect(try await two.conversations().isEmpty)
        await #expect(throws: NodeError.unknownDevice("nobody")) {
            _ = try await one.pair(with: "nobody")
        }
        await #expect(throws: NodeError.unknownPairing) { try await one.cancelPairing("0") }
        await one.stop()
        await two.stop()
    }

    /// Regression: the first pairing was still listed, so declining the second one forgot that.
    @Test func aSecondRequestCanBeDeclinedAsWell() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        for _ in 1...2 {
            _ = try await eventually("two is nearby") {
                try? await one.pair(with: "two", sharing: "games")
            }
            let asked = try await pairing(of: two, "the request") {
                $0 == .asked(shares: true)
            }
            try await two.cancelPairing(asked.id)
            _ = try await pairing(of: two, "the end") { $0 == .ended(.cancelled) }
            _ = try await pairing(of: one, "the refusal") { $0 == .ended(.declined) }
        }
        #expect(await two.pairings().map(\.id).count == 1)
        await one.stop()
        await two.stop()
    }

    /// Regression: nodes that share nothing are linked for seconds at a time, and in between the
    /// other device was unknown.
    @Test func aDeviceThatWasThereAMomentAgoCanBeAsked() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        try await eventually("two is nearby") { await one.nearby().contains { $0.name == "two" } }
        await two.stop()
        try await eventually("two is not nearby") { await one.nearby().isEmpty }
        #expect(try await one.pair(with: "two", sharing: "games").stage == .waiting)
        await one.stop()
    }
}
