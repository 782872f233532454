import Foundation
import ParleyAPI
import ParleyNode
import ParleyWeb
import TestSupport
import Testing

/// The words of the page about the people who are there.
@Suite(.timeLimit(.minutes(20))) struct PresenceTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    /// The knowledge of a device, and the words of the page then.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var state: Peer.State?
        /// The age of a message that has arrived, in seconds.
        var age: TimeInterval?
        var links: [String] = []
        let presence: Presence
    }

    static let cases = [
        Case(testDescription: "a link", state: .connected, presence: .connected),
        Case(testDescription: "silence", state: .unresponsive, presence: .unresponsive),
        Case(testDescription: "spare", state: .throughOthers, presence: .throughOthers(nil)),
        Case(testDescription: "unknown", presence: .away(nil)),
        Case(
            testDescription: "a message by the only way",
            age: 2,
            links: ["relay"],
            presence: .throughOthers("relay")
        ),
        Case(
            testDescription: "a message by one of two ways",
            state: .lastSeen,
            age: 2,
            links: ["relay", "bob"],
            presence: .throughOthers(nil)
        ),
        Case(
            testDescription: "a message, and nobody is left to pass one on",
            age: 2,
            presence: .away(now - 2)
        ),
        Case(
            testDescription: "an old message",
            age: SeenTable.freshness + 1,
            links: ["relay"],
            presence: .away(nil)
        ),
        Case(
            testDescription: "a clock that is ahead by years",
            age: -100_000_000,
            links: ["relay"],
            presence: .away(nil)
        ),
        Case(
            testDescription: "a message of a device with a link",
            state: .unresponsive,
            age: 2,
            links: ["relay"],
            presence: .unresponsive
        ),
    ]

    @Test(arguments: cases)
    func saysWhatIsKnown(_ known: Case) {
        var table = SeenTable()
        table.note(
            known.state.map { [Peer(device: "device", state: $0, address: "")] } ?? [],
            at: Self.now
        )
        if let age = known.age {
            _ = table.arrived(from: "device", writtenAt: Self.now - age, at: Self.now)
        }
        #expect(table.presence(of: "device", links: known.links, at: Self.now) == known.presence)
    }

    /// Five minutes after its last message, the author is away since then.
    @Test func aMessageSaysNothingForLong() {
        var table = SeenTable()
        table.note([], at: Self.now)
        let isNew = (0...1).map { _ in
            table.arrived(from: "device", writtenAt: Self.now, at: Self.now)
        }
        #expect(isNew == [true, false])
        let later = Self.now + SeenTable.freshness
        #expect(table.presence(of: "device", links: ["relay"], at: later) == .away(Self.now))
        // Once the device had a link and lost it, that is what the page says.
        table.note([Peer(device: "device", state: .connected, address: "")], at: Self.now + 1)
        table.note([], at: Self.now + 2)
        let presence = table.presence(of: "device", links: ["relay"], at: Self.now + 2)
        #expect(presence == .away(Self.now + 1))
    }

    /// Somebody behind a relay is reachable through it until one of the two is gone, also before
    /// the first message.
    @Test(arguments: ["relay", "carol"])
    func whoIsBehindARelayIsReachable(untilEndOf ending: String) async throws {
        let folder = try TestDirectory()
        let relay = try Self.node("relay", in: folder)
        let address = try #require(try await relay.start().addresses.first)
        let carol = try Self.node("carol", peers: [address], in: folder)
        let device = try await carol.start().device
        try await ControlBench.with { settings in
            settings.peers = [address]
        } _: { bench in
            let passing = try await bench.node.invite(to: "games", role: .relay)
            _ = try await relay.join(passing.link)
            _ = try await carol.join(try await bench.node.invite(to: "games").link)
            try await eventually("the card of carol") {
                let member = try await Self.member(device, bench)
                return member?.presence == "throughOthers" && member?.through == "relay"
                    && member?.name == "carol"
            }
            let peer = await bench.node.peers().first { $0.device == device }
            #expect(peer?.state == .throughOthers)
            #expect(peer?.through == "relay")
            #expect(peer?.seen.map { abs($0.timeIntervalSinceNow) < 60 } == true)
            var content = MessageContent()
            content.layout = ContentLayout()
            content.layout?.caption = "Hello from far away"
            _ = try await carol.send(Draft(content: content), to: "games")
            try await eventually("carol, through the relay") {
                let member = try await Self.member(device, bench)
                return member?.presence == "throughOthers" && member?.through == "relay"
            }
            await (ending == "relay" ? relay : carol).stop()
            try await eventually("the end of the only way to carol, or of carol") {
                let member = try await Self.member(device, bench)
                return member?.presence == "away" && member?.seen != nil
            }
        }
        await relay.stop()
        await carol.stop()
    }

    private static func node(
        _ name: String,
        peers: [String] = [],
        in folder: TestDirectory
    ) throws -> Node {
        var settings = NodeSettings(dataDirectory: folder.url.appending(path: name))
        settings.name = name
        settings.listen = ["127.0.0.1:0"]
        settings.peers = peers
        settings.usesDiscovery = false
        return Node(settings)
    }

    private static func member(
        _ device: String,
        _ bench: ControlBench
    ) async throws -> PageConversationDocument.Member? {
        let answer = try await bench.page.call("GET", "/v1/page")
        try #require(answer.status == 200, "\(answer.text)")
        let page = try JSON.decode(PageDocument.self, from: answer.body)
        return page.conversations.first?.participants.first { $0.device == device }
    }
}
