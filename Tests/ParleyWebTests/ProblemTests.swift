import Foundation
import ParleyAPI
import ParleyNode
import ParleyWeb
import Testing

/// Each problem that a request can have, with its name and its HTTP status.
@Suite(.timeLimit(.minutes(20)))
struct ProblemTests {
    private static let messages = "conversations/games/messages"
    private static let app = "conversations/games/apps/tictactoe"

    static let input: [RefusedRequest] = [
        RefusedRequest(.badInput, 400, "a role that is none") { _ in
            .post("conversations/games/invites", #"{"role":"king"}"#)
        },
        RefusedRequest(.badJSON, 400, "no JSON") { _ in .post("conversations", "{") },
        RefusedRequest(.unknownRoute, 404, "a path of nothing") { _ in .get("nothing") },
        RefusedRequest(.unknownConversation, 404, "a name that is not here") { _ in
            .get("conversations/nowhere/transcript")
        },
        RefusedRequest(.unknownSession, 404, "a session that is not here") { _ in
            .get("sessions/\(UUID())")
        },
        RefusedRequest(.unknownSession, 404, "a session of what is not here") { _ in
            .get("conversations/nowhere/sessions/\(UUID())")
        },
        RefusedRequest(.unknownMessage, 404, "a message that is not here") { bench in
            let id = String(repeating: "a", count: 32) + "-7"
            return try .get("\(bench.session)/messages/\(id)/picture")
        },
        RefusedRequest(.unknownMessage, 404, "a message without a picture") { bench in
            let bare = try await bench.node.send(ControlBench.said("?bare"), to: "games")
            return .get("sessions/\(bare.session)/messages/\(bare.id)/picture")
        },
        RefusedRequest(.unknownDevice, 404, "a device that is not nearby") { _ in
            .post("pairings", #"{"device":"nobody"}"#)
        },
        RefusedRequest(.unknownDevice, 404, "a lost device that is no member") { _ in
            .post("person/lost", #"{"device":"nobody"}"#)
        },
        RefusedRequest(.badSetting, 400, "a lost device that is the own one") { _ in
            .post("person/lost", #"{"device":"bench"}"#)
        },
        RefusedRequest(.unknownGuest, 404, "a guest who is not here") { _ in
            .post("conversations/games/guests/1", #"{"name":"Tom"}"#)
        },
        RefusedRequest(.unknownPairing, 404, "a pairing that is not here") { _ in
            .post("pairings/0/confirm", "{}")
        },
        RefusedRequest(.badInvite, 400, "a link that is none") { _ in
            .post("join", #"{"link":"parley:nonsense"}"#)
        },
        RefusedRequest(.badName, 400, "a name of nothing") { _ in
            .post("conversations", #"{"name":""}"#)
        },
        RefusedRequest(.badName, 400, "a name that nobody sees") { _ in
            .post("conversations", #"{"name":"\u200b\u3164"}"#)
        },
        RefusedRequest(.badDraft, 400, "a picture of nothing") { _ in
            .post(messages, #"{"imageData":"","imageType":"audio/ogg"}"#)
        },
        RefusedRequest(.notAnImage, 400, "three bytes of a picture") { _ in
            .post(messages, #"{"imageData":"/9j/","imageType":"image/jpeg"}"#)
        },
        RefusedRequest(.badDraft, 400, "a message of nothing") { _ in .post(messages, "{}") },
        RefusedRequest(.badDraft, 400, "a URL of nothing") { _ in
            .post(messages, #"{"url":"","caption":"said"}"#)
        },
        RefusedRequest(.badDraft, 400, "captions of nothing") { _ in
            .post(messages, #"{"caption":" ","subcaption":"","app":"chess"}"#)
        },
        RefusedRequest(.badDraft, 400, "a text of nothing from the page") { _ in
            .post("conversations/games/field", #"{"deed":"send","text":" \n"}"#)
        },
        RefusedRequest(.tooLarge, 413, "a URL of 5,001 characters") { _ in
            let url = "?" + String(repeating: "x", count: 5_000)
            return .post(messages, #"{"url":"\#(url)"}"#)
        },
        RefusedRequest(.noOffer, 404, "a file of what is none") { bench in
            RefusedRequest.Asked("PUT", "conversations/games/files/\(try bench.sent.session)")
        },
        RefusedRequest(.unknownApp, 404, "an app that is not here") { _ in
            .get("conversations/games/apps/chess")
        },
    ]

    @Test(arguments: input)
    func ofInput(request: RefusedRequest) async throws { try await request.check() }

    static let refusals: [RefusedRequest] = [
        RefusedRequest(.nothingThere, 409, "sends an empty input field") { bench in
            _ = try await bench.client.call("POST", app, [#"{"deed":"open"}"#])
            return .post(app, #"{"deed":"send"}"#)
        },
        RefusedRequest(.nothingThere, 409, "asks for a bubble that no app draws") { bench in
            let open = #"{"deed":"open","width":260,"height":400}"#
            return .post("conversations/games/live/\(try bench.sent.id)", open)
        },
        RefusedRequest(.staleAction, 409, "presses what was there before") { bench in
            _ = try await bench.client.call("POST", app, [#"{"deed":"open"}"#])
            let act = #"{"deed":"act","node":"root","version":0,"kind":"press"}"#
            return .post(app, act)
        },
        RefusedRequest(.refused, 409, "presses a button that is disabled") { bench in
            let opened = try await bench.client.screen(app, #"{"deed":"open"}"#)
            let square = try #require(opened.buttons.first)
            // A move is staged, so that all squares are disabled.
            let moved = try await bench.client.screen(app, opened.press(square))
            try #require(moved.buttons.isEmpty)
            return .post(app, moved.press(square))
        },
        RefusedRequest(.appDidNotStart, 500, "opens an app that makes no controller") { _ in
            .post("conversations/games/apps/absent", #"{"deed":"open"}"#)
        },
        RefusedRequest(.stale, 409, "replaces what is not there") { bench in
            let session = try bench.sent.session
            return .post(messages, #"{"session":"\#(session)","replacing":[],"url":"?"}"#)
        },
        RefusedRequest(.notYourTurn, 409, "moves for somebody else") { bench in
            var draft = ControlBench.said("?yours")
            draft.next = [UUID()]
            let session = try await bench.node.send(draft, to: "games").session
            return .post(messages, #"{"session":"\#(session)","url":"?"}"#)
        },
        RefusedRequest(.notPlayable, 409, "writes between the moves of a game") { bench in
            var offer = ControlBench.said("?offer")
            offer.content.match = Match(.offered, least: 2, most: 2)
            let session = try await bench.node.send(offer, to: "games").session
            return .post(messages, #"{"session":"\#(session)","url":"?"}"#)
        },
        RefusedRequest(.readOnly, 403, "writes as a reader") { bench in
            let invite = try await bench.node.invite(to: "games", role: .reader)
            try await bench.node.leaveConversation(named: "games", force: true)
            _ = try await bench.node.join(invite.link)
            return .post(messages, #"{"url":"?mine"}"#)
        },
        RefusedRequest(.unreadable, 403, "reads as a relay") { bench in
            let invite = try await bench.node.invite(to: "games", role: .relay)
            try await bench.node.leaveConversation(named: "games", force: true)
            _ = try await bench.node.join(invite.link)
            return .get("conversations/games/transcript")
        },
        RefusedRequest(.unreadable, 403, "asks a relay for conflicts") { bench in
            let invite = try await bench.node.invite(to: "games", role: .relay)
            try await bench.node.leaveConversation(named: "games", force: true)
            _ = try await bench.node.join(invite.link)
            return .get("conversations/games/conflicts")
        },
        RefusedRequest(.onlyCopies, 409, "leaves with a message that nobody else has") { _ in
            RefusedRequest.Asked("DELETE", "conversations/games")
        },
        RefusedRequest(
            .relayOnly,
            403,
            "makes a conversation on a relay",
            settings: { $0.isRelay = true },
            { _ in .post("conversations", #"{"name":"more"}"#) }
        ),
        RefusedRequest(.nameTaken, 409, "makes it twice") { _ in
            .post("conversations", #"{"name":"games"}"#)
        },
        RefusedRequest(.alreadyJoined, 409, "joins what it is in") { bench in
            let invite = try await bench.node.invite(to: "games")
            return .post("join", #"{"link":"\#(invite.link)"}"#)
        },
        RefusedRequest(.tooManyConversations, 409, "makes the 257th") { bench in
            for number in 2...256 {
                _ = try await bench.node.createConversation(named: "number \(number)")
            }
            return .post("conversations", #"{"name":"one more"}"#)
        },
        RefusedRequest(
            .conversationFull,
            409,
            "begins more sessions than a device may",
            settings: { $0.headsMax = 1 },
            { _ in .post(messages, #"{"url":"?another"}"#) }
        ),
        RefusedRequest(.notYetDelivered, 504, "waits for nobody") { _ in
            .post(messages, #"{"url":"?","wait":"delivered=1","timeout":0.05}"#)
        },
        RefusedRequest(.stopped, 503, "asks a node that has stopped") { bench in
            await bench.node.stop()
            return .get("status")
        },
    ]

    @Test(arguments: refusals)
    func ofRefusals(request: RefusedRequest) async throws { try await request.check() }

    /// Kinds that no request to a running node causes, and kinds that other tests cover.
    private static let elsewhere: Set<Problem.Kind> = [
        // These occur in commands.
        .usage, .noFile, .unreadableInput, .cannotWrite, .fileExists, .notAllowed,
        .noNode, .notYet,
        .demoFailed, .badPlan, .planFailed, .faultNotPossible, .notRoot, .labFailed,
        // The tests of the page's server cover these.
        .notSignedIn, .tooManyStreams,
        // The command that pairs says this.
        .notPaired,
        // The tests below cover these.
        .internal, .fellBehind,
    ]

    /// A new kind must have a line in a table, or a reason why it has none.
    @Test func eachKindIsReachedOrNamed() {
        let reached = Set((Self.input + Self.refusals + Self.pairing).map(\.problem))
            .union(Self.withoutRequest.map(\.kind))
        #expect(reached.isDisjoint(with: Self.elsewhere))
        #expect(reached.union(Self.elsewhere) == Set(Problem.Kind.allCases))
    }

    /// An error of the node that a start causes, or a damaged disk, and no request does.
    struct Translation: Sendable {
        let error: NodeError
        let kind: Problem.Kind
        let status: Int
        let message: String
        var hint = ""
    }

    /// `NodeErrorTests` of `ParleyNodeTests` has a node with each of them.
    static let withoutRequest = [
        Translation(
            error: .tooManyGuests(limit: 4),
            kind: .tooManyGuests,
            status: 409,
            message: "All 4 seats for guests are taken.",
            hint: "Remove a guest, or allow more with parley guests CONVERSATION --seats N."
        ),
        Translation(
            error: .tooManyInvites(limit: 64),
            kind: .tooManyInvites,
            status: 409,
            message: "64 invites of this node are open.",
            hint: "Revoke one that nobody needs: parley invite list"
        ),
        Translation(
            error: .keys(conversation: "games", .thrownOut),
            kind: .notMember,
            status: 403,
            message: "The keys of \"games\" were changed without this device.",
            hint: "To be back, leave it, and join with a new invite of a member."
        ),
        Translation(
            error: .keys(conversation: "games", .unknownMember("yan")),
            kind: .keysRefused,
            status: 409,
            message: "No member of \"games\" is called \"yan\".",
            hint: "See who is: parley conversation members NAME"
        ),
        Translation(
            error: .unknownInvite(7),
            kind: .unknownInvite,
            status: 404,
            message: "This node has no invite 7 that ends.",
            hint: "See: parley invite list"
        ),
        Translation(
            error: .notLetIn(by: "Ada", .ended),
            kind: .inviteOver,
            status: 409,
            message: "This invite has ended.",
            hint: "Ask Ada for a new one."
        ),
        Translation(
            error: .notLetIn(by: "Ada", .unanswered),
            kind: .noAnswer,
            status: 504,
            message: "The machine of Ada does not answer; it has to be up for this link.",
            hint: "Try again once it is up, in the same network."
        ),
        Translation(
            error: .tooManyFiles(limit: 8),
            kind: .tooManyFiles,
            status: 409,
            message: "This node has 8 files under way or kept already, and takes no more.",
            hint: "Try again later, or take files back and decline some: parley files"
        ),
        Translation(
            error: .noSpace(missing: 12_340_000),
            kind: .noSpace,
            status: 507,
            message: "The disk has too little space for the file: 12.4 MB are missing.",
            hint: "Free some and try again. Part of the disk stays free for messages."
        ),
        Translation(
            error: .badSetting("the name is empty"),
            kind: .badSetting,
            status: 400,
            message: "The name is empty."
        ),
        Translation(
            error: .dataDirectoryInUse(path: "/data", process: 17),
            kind: .dataDirectoryInUse,
            status: 409,
            message: "/data is in use by process 17.",
            hint: "Stop that node, or choose another directory with --data."
        ),
        Translation(
            error: .dataDirectoryInUse(path: "/data", process: nil),
            kind: .dataDirectoryInUse,
            status: 409,
            message: "/data is in use.",
            hint: "Stop that node, or choose another directory with --data."
        ),
        Translation(
            error: .dataDirectoryUnusable(path: "/data", reason: "It is a file.", hint: "Move it."),
            kind: .dataDirectoryUnusable,
            status: 500,
            message: "It is a file.",
            hint: "Move it."
        ),
        Translation(
            error: .portInUse("8275"),
            kind: .portInUse,
            status: 500,
            message: "Port 8275 is in use.",
            hint: "Choose another one with --listen HOST:PORT."
        ),
        Translation(
            error: .notListening("no such address"),
            kind: .notListening,
            status: 500,
            message: "The node cannot listen: no such address.",
            hint: "Check --listen."
        ),
        Translation(
            error: .conversationFull("lobby", .allConversations(messages: 9, bytes: 1 << 30)),
            kind: .storeFull,
            status: 507,
            message: "All conversations together have as many messages as this node keeps "
                + "(9, or 1024 MiB). Sessions that are here go on.",
            hint: "Leave one that nobody needs (parley conversation list shows their sizes), "
                + "or raise quotas.all-conversations and start the node again."
        ),
        Translation(
            error: .conversationFull("lobby", .device(messages: 4_096, bytes: 256 << 20)),
            kind: .conversationFull,
            status: 409,
            message: "This device has as many messages in \"lobby\" as one device may have there "
                + "(4096, or 256 MiB). Others can go on.",
            hint: "Begin a new conversation: parley conversation create NAME"
        ),
        Translation(
            error: .sessionFull,
            kind: .sessionFull,
            status: 409,
            message: "The session has reached a limit: too many devices or messages.",
            hint: "Begin a new session, which parley send does without --session."
        ),
        Translation(
            error: .storeFull,
            kind: .storeFull,
            status: 507,
            message: "Too little space is left on the disk.",
            hint: "Free some: parley status says how much. The node then continues by itself."
        ),
        Translation(
            error: .storeFailed("no sync"),
            kind: .storeFailed,
            status: 500,
            message: "no sync"
        ),
    ]

    @Test(arguments: withoutRequest)
    func ofErrorsWithoutARequest(translation: Translation) {
        let problem = Problem(translation.error)
        #expect(problem.kind == translation.kind)
        #expect(problem.httpStatus == translation.status)
        #expect(problem.message == translation.message)
        #expect(problem.hint == translation.hint)
    }

    /// A kind that an older client does not know is an internal error to it.
    @Test func anUnknownKindIsInternal() throws {
        let bytes = Data(#"{"error":"isNew","message":"Something new.","hint":""}"#.utf8)
        let problem = try JSONDecoder().decode(Problem.self, from: bytes)
        #expect(problem.kind == .internal)
        #expect(problem.httpStatus == 500)
        #expect(problem.message == "Something new.")
    }

    private static func send(_ count: Int, to bench: ControlBench) async throws {
        let lines = (0..<count).map { #"{"url":"?\#($0)"}"# }.joined(separator: "\n")
        let answer = try await bench.client.call("POST", "conversations/games/batch", [lines])
        try #require(answer.status == 200)
    }

    /// A follower that does not read is disconnected with a problem.
    @Test func aFollowerThatFallsBehindIsToldSo() async throws {
        try await ControlBench.with { bench in
            let answer = try await bench.client.call(
                "GET",
                "conversations/games/transcript/events",
                onPart: { part in
                    // The first part is the present entry, and the second one the first change.
                    if part == 1 { try await Self.send(1, to: bench) }
                    if part == 2 { try await Self.send(4_000, to: bench) }
                }
            )
            #expect(answer.text.contains("event: problem"))
            #expect(answer.text.contains(#""error":"fellBehind""#))
        }
    }
}
