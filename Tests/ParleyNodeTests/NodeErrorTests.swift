import Foundation
import ParleyCore
import ParleyNode
import TestSupport
import Testing

/// Each error of a node, reached by a real call of a node with a real store.
@Suite(.timeLimit(.minutes(5)))
struct NodeErrorTests {
    /// The error of a call beside the promised one; nil where the values are not promised.
    struct Provoked: Sendable {
        let error: NodeError?
        let expected: NodeError?

        /// Makes a call that must fail.
        init(_ expected: NodeError? = nil, _ call: () async throws -> Void) async {
            self.expected = expected
            do {
                try await call()
                error = nil
            } catch {
                self.error = error as? NodeError
            }
        }
    }

    typealias Provocation = @Sendable (TestNodes) async throws -> Provoked

    @Test(arguments: NodeErrorKind.allCases)
    func isReachedByACall(kind: NodeErrorKind) async throws {
        let provocations = [
            Self.badInput, Self.refused, Self.starting, Self.store, Self.pairing,
        ]
        let provocation = try #require(provocations.compactMap { $0[kind] }.first)
        let nodes = try TestNodes()
        let provoked = try await provocation(nodes)
        await nodes.stopAll()
        let error = try #require(provoked.error, "nothing was thrown")
        #expect(NodeErrorKind(error) == kind, "\(error)")
        if let expected = provoked.expected { #expect(error == expected) }
    }

    /// Regression: a sender waited for ever if many messages after its own were followed.
    @Test func whoWaitsForADeliveryIsAnsweredHoweverManyAreFollowed() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        var draft = Draft("?waits")
        draft.tellsDelivery = true
        let wait = SendWait.delivered(nodes: 1, timeout: .seconds(5))
        async let waiting = Provoked { [draft] in
            _ = try await node.send(draft, to: "games", wait: wait)
        }
        _ = try await eventually("the first is stored") {
            try await node.urls("games").contains("?waits") ? true : nil
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0...1_024 {
                var draft = Draft("?move")
                draft.tellsDelivery = true
                group.addTask { [draft] in _ = try await node.send(draft, to: "games") }
            }
            try await group.waitForAll()
        }
        let error = try #require(await waiting.error)
        #expect(NodeErrorKind(error) == .notYetDelivered)
        await nodes.stopAll()
    }

    /// Regression: conversations that were not on the disk were acknowledged, and lost.
    @Test func conversationsAreNotAcknowledgedWhileTheDiskFails() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        let other = try await nodes.start("other").0
        _ = try await other.createConversation(named: "theirs")
        let invite = try await other.invite(to: "theirs").link
        let lock = try DatabaseLock(nodes.database(of: "one"))
        let provoked = await [
            Provoked { _ = try await node.createConversation(named: "found out by this one") },
            Provoked { _ = try await node.createConversation(named: "not begun") },
            Provoked { _ = try await node.join(invite) },
            Provoked { try await node.leaveConversation(named: "games", force: true) },
        ]
        for call in provoked {
            let error = try #require(call.error, "nothing was thrown")
            #expect(NodeErrorKind(error) == .storeFailed)
        }
        lock.release()
        _ = try await eventually("the disk works") {
            try? await node.createConversation(named: "stored")
        }
        #expect(
            try await node.conversations().map(\.name)
                == ["games", "found out by this one", "stored"]
        )
        await nodes.stopAll()
    }

    // MARK: Bad input

    private static let badInput: [NodeErrorKind: Provocation] = [
        .unknownConversation: { nodes in
            let (node, _) = try await nodes.start("one")
            return await Provoked(.unknownConversation("nowhere")) {
                _ = try await node.transcript(of: "nowhere")
            }
        },
        .unknownSession: { nodes in
            let (node, _) = try await nodes.start("one")
            let session = SessionID()
            return await Provoked(.unknownSession(session.description)) {
                _ = try await node.session(session)
            }
        },
        .unknownMessage: { nodes in
            let (node, first) = try await nodes.startWithMessage()
            let text = String(repeating: "a", count: 32) + "-7"
            let other = try #require(MessageID(text))
            return await Provoked(.unknownMessage(text)) {
                _ = try await node.pictureBytes(of: other, session: first.session)
            }
        },
        .badInvite: { nodes in
            let (node, _) = try await nodes.start("one")
            return await Provoked { _ = try await node.join("parley:nonsense") }
        },
        .badName: { nodes in
            let (node, _) = try await nodes.start("one")
            return await Provoked { _ = try await node.createConversation(named: "") }
        },
        .badDraft: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            var draft = Draft("?move")
            draft.picture = Picture(type: "image/png", bytes: Data())
            return await Provoked(.badDraft("the picture is empty")) {
                _ = try await node.send(draft, to: "games")
            }
        },
        .badSetting: { nodes in
            var settings = nodes.settings("one")
            settings.listen = ["nowhere"]
            return await Provoked { _ = try await nodes.start(settings) }
        },
        .tooLarge: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            let url = "?" + String(repeating: "x", count: 5_000)
            return await Provoked(.tooLarge(what: "the URL", size: 5_001, limit: 5_000)) {
                _ = try await node.send(Draft(url), to: "games")
            }
        },
    ]

    // MARK: Refused

    private static let refused: [NodeErrorKind: Provocation] = [
        .stale: { nodes in
            let (node, first) = try await nodes.startWithMessage()
            var draft = Draft("?move=2", session: first.session)
            draft.replacing = []
            return await Provoked(.stale(heads: [first.id])) {
                _ = try await node.send(draft, to: "games")
            }
        },
        .notYourTurn: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            let other = UUID()
            var draft = Draft("?move=1")
            draft.next = [other]
            let session = try await node.send(draft, to: "games").session
            return await Provoked(.notYourTurn(next: [other])) {
                _ = try await node.send(Draft("?move=2", session: session), to: "games")
            }
        },
        .notPlayable: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            var draft = Draft("?game")
            draft.content.match = Match(.running, least: 2, most: 2)
            let refused = draft
            return await Provoked(.notPlayable(.seatCount)) {
                _ = try await node.send(refused, to: "games")
            }
        },
        .readOnly: { nodes in
            let (one, _) = try await nodes.startWithMessage()
            let (reader, _) = try await nodes.start("reader")
            _ = try await reader.join(try await one.invite(to: "games", role: .reader).link)
            return await Provoked(.readOnly(conversation: "games")) {
                _ = try await reader.send(Draft("?mine"), to: "games")
            }
        },
        .onlyCopies: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            return await Provoked(.onlyCopies(conversation: "games", messages: 1)) {
                try await node.leaveConversation(named: "games")
            }
        },
        .sessionFull: { nodes in
            let (node, first) = try await nodes.startWithMessage()
            await node.stop()
            try nodes.raiseRevisionsToTheLimit(of: "one")
            let (again, _) = try await nodes.start("one")
            return await Provoked(.sessionFull) {
                _ = try await again.send(Draft("?move=2", session: first.session), to: "games")
            }
        },
        .conversationFull: { nodes in
            var settings = nodes.settings("one")
            settings.headsMax = 1
            let (node, _) = try await nodes.start(settings)
            _ = try await node.createConversation(named: "games")
            let first = try await node.send(Draft("?move=1"), to: "games")
            let share = KeptShare.device(messages: 1, bytes: 8 << 30)
            let provoked = await Provoked(.conversationFull("games", share)) {
                _ = try await node.send(Draft("?another"), to: "games")
            }
            _ = try await node.send(Draft("?move=2", session: first.session), to: "games")
            return provoked
        },
        .unreadable: { nodes in
            let (one, _) = try await nodes.startWithMessage()
            let (relay, _) = try await nodes.start("relay")
            _ = try await relay.join(try await one.invite(to: "games", role: .relay).link)
            return await Provoked(.unreadable(conversation: "games")) {
                _ = try await relay.transcript(of: "games")
            }
        },
        .relayOnly: { nodes in
            var settings = nodes.settings("relay")
            settings.isRelay = true
            let (relay, _) = try await nodes.start(settings)
            return await Provoked(.relayOnly) {
                _ = try await relay.createConversation(named: "games")
            }
        },
        .nameTaken: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            return await Provoked(.nameTaken("games")) {
                _ = try await node.createConversation(named: "games")
            }
        },
        .alreadyJoined: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            let invite = try await node.invite(to: "games", role: .reader)
            return await Provoked(.alreadyJoined(as: "games", .writer)) {
                _ = try await node.join(invite.link, as: "others")
            }
        },
        .tooManyConversations: { nodes in
            var settings = nodes.settings("one")
            settings.conversationsMax = 1
            let (node, _) = try await nodes.start(settings)
            _ = try await node.createConversation(named: "games")
            return await Provoked(.tooManyConversations(limit: 1)) {
                _ = try await node.createConversation(named: "more games")
            }
        },
        .unknownGuest: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            let hash = [UInt8](repeating: 1, count: 32)
            let guest = try await node.seat("Mia", in: "games", secretHash: hash)
            try await node.remove(guest)
            return await Provoked(.unknownGuest) { try await node.remove(guest) }
        },
        .tooManyFiles: { nodes in
            var settings = nodes.settings("one")
            settings.fileLimits.files = 0
            let (node, _) = try await nodes.start(settings)
            _ = try await node.createConversation(named: "games")
            return await Provoked(.tooManyFiles(limit: 0)) {
                _ = try await node.upload(of: 1, named: "film", to: "games")
            }
        },
        .noOffer: { nodes in
            let (node, sent) = try await nodes.startWithMessage()
            return await Provoked(.noOffer(sent.session.description)) {
                _ = try await node.acceptFile(of: sent.session, in: "games")
            }
        },
        .noSpace: { nodes in
            var settings = nodes.settings("one")
            settings.fileLimits.reserve = 1 << 60
            let (node, _) = try await nodes.start(settings)
            _ = try await node.createConversation(named: "games")
            return await Provoked {
                _ = try await node.upload(of: 1, named: "film", to: "games")
            }
        },
        .tooManyGuests: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            let hash = [UInt8](repeating: 1, count: 32)
            _ = try await node.seat("Mia", in: "games", secretHash: hash, countMax: 1)
            return await Provoked(.tooManyGuests(limit: 1)) {
                _ = try await node.seat("Tom", in: "games", secretHash: hash, countMax: 1)
            }
        },
    ]
}

// MARK: Starting, and the store

extension NodeErrorTests {
    private static let starting: [NodeErrorKind: Provocation] = [
        .dataDirectoryInUse: { nodes in
            _ = try await nodes.start("one")
            return await Provoked { _ = try await nodes.start("one") }
        },
        .portInUse: { nodes in
            let (_, address) = try await nodes.start("one")
            var settings = nodes.settings("two")
            settings.listen = [address]
            let port = address.split(separator: ":").last.map(String.init)
            return await Provoked(.portInUse(try #require(port))) {
                _ = try await nodes.start(settings)
            }
        },
        .notListening: { nodes in
            var settings = nodes.settings("one")
            // An address of RFC 5737, which no machine has.
            settings.listen = ["203.0.113.1:0"]
            return await Provoked { _ = try await nodes.start(settings) }
        },
        .dataDirectoryUnusable: { nodes in
            let settings = nodes.settings("one")
            try Data("a file".utf8).write(to: settings.dataDirectory)
            return await Provoked { _ = try await nodes.start(settings) }
        },
        .stopped: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            await node.stop()
            return await Provoked(.stopped) { _ = try await node.conversations() }
        },
    ]

    private static let store: [NodeErrorKind: Provocation] = [
        .storeFull: { nodes in
            let (node, first) = try await nodes.startWithMessage()
            await node.stop()
            var settings = nodes.settings("one")
            settings.limits.freeSpace = 1 << 60
            let (full, _) = try await nodes.start(settings)
            return await Provoked(.storeFull) {
                _ = try await full.send(Draft("?", session: first.session), to: "games")
            }
        },
        .storeFailed: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            let lock = try DatabaseLock(nodes.database(of: "one"))
            defer { lock.release() }
            return await Provoked { _ = try await node.send(Draft("?more"), to: "games") }
        },
        .notYetDelivered: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            let wait = SendWait.delivered(nodes: 1, timeout: .milliseconds(50))
            return await Provoked {
                _ = try await node.send(Draft("?alone"), to: "games", wait: wait)
            }
        },
    ]
}
