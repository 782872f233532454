import ParleyFaults
import Testing

/// Something that is expected, what is seen, and what is missing then.
struct Verdict: Sendable, CustomTestStringConvertible {
    struct Message: Sendable {
        let session: String
        let id: String
        let revision: UInt64
    }

    let expectation: String
    var acknowledged: [Message] = []
    var before: [HostView] = []
    let after: [HostView]
    /// Nil: it holds.
    let missing: String?

    var testDescription: String { "\(expectation): \(missing ?? "holds")" }

    static let all = shown + same + conflicts + losses + links + counts + strangers

    // MARK: Shown messages

    private static let shown = [
        Verdict("shown: {session: s, url: u}", [[sight()], [sight()], [sight()]], nil),
        Verdict(
            "shown: {session: s, url: u}",
            [[sight()], [], [sight()]],
            "ben: shows nothing of s"
        ),
        Verdict(
            "shown: {session: s, url: u}",
            [[sight()], [sight(url: "v")], [sight()]],
            "ben: shows v in s"
        ),
        Verdict(
            "shown: {session: s, url: u, picture: yes}, on: ann",
            [[sight(picture: .missing)]],
            "ann: has no picture yet"
        ),
        Verdict(
            "shown: {session: s, url: u, picture: yes}, on: ann",
            [[sight(picture: .wrong)]],
            "ann: has another picture"
        ),
        Verdict(
            "shown: {session: s, url: u, picture: yes}, on: ann",
            [[sight(picture: .whole)]],
            nil
        ),
    ]

    private static let same = [
        Verdict("same: {messages: 1}", [[sight()], [sight()], [sight()]], nil),
        Verdict("same: {messages: 2}", [[sight()], [sight()], [sight()]], "ann: shows 1 of 2"),
        Verdict(
            "same: yes",
            [[sight()], [sight("2")], [sight()]],
            "ben and ann differ in s"
        ),
        Verdict(
            "same: yes",
            [[sight()], [], [sight()]],
            "ben and ann differ in how many sessions they show"
        ),
        Verdict(
            "same: yes",
            [[sight(others: ["2"])], [sight()], [sight()]],
            "ben and ann differ in s"
        ),
        Verdict(
            "no-conflict: yes",
            [[sight()], [sight(others: ["2"])], [sight()]],
            "ben: s is in conflict"
        ),
    ]

    private static let conflicts = [
        Verdict(
            "conflict: {session: s}",
            Array(repeating: [sight(others: ["2"])], count: 3),
            nil
        ),
        Verdict(
            "conflict: {session: s}",
            [[sight(others: ["2"])], [sight()], [sight(others: ["2"])]],
            "ben: no conflict in s"
        ),
        Verdict(
            "conflict: {session: s}",
            Array(repeating: [sight(others: ["2", "3"])], count: 3),
            "ann: 3 heads, not 2"
        ),
        Verdict(
            "conflict: {session: s}",
            Array(repeating: [sight(others: ["2"]), sight(session: "t", others: ["4"])], count: 3),
            "ann: 2 conflicts"
        ),
        Verdict(
            "conflict: {session: s}",
            [[sight(others: ["2"])], [sight("2", others: ["1"])], [sight(others: ["2"])]],
            "they show different winners"
        ),
        Verdict(
            "conflict: {session: s}",
            [[sight(others: ["2"])], [sight(others: ["3"])], [sight(others: ["2"])]],
            "they keep different losers"
        ),
    ]

    private static let losses = [
        lost(Message(session: "s", id: "1", revision: 1), [sight()], nil),
        lost(Message(session: "s", id: "0", revision: 0), [sight()], nil),
        lost(Message(session: "s", id: "2", revision: 1), [sight(others: ["2"])], nil),
        lost(Message(session: "s", id: "2", revision: 1), [sight()], "ann: lacks revision 1 of s"),
        lost(Message(session: "t", id: "2", revision: 1), [sight()], "ann: shows nothing of t"),
    ]

    private static func lost(
        _ message: Message,
        _ sessions: [SessionSight],
        _ missing: String?
    ) -> Verdict {
        var verdict = Verdict("nothing-lost: yes, on: ann", [sessions], missing)
        verdict.acknowledged = [message]
        return verdict
    }

    // MARK: Links and counts

    private static let links = [
        linked("linked: [ann, ben]", [[1], [0]], nil),
        linked("linked: [ann, ben]", [[1], []], "ben: no link to ann"),
        linked("linked: all", [[1], [0, 2], [1]], "ann: no link to cid"),
        linked("unlinked: [ann, ben]", [[1], []], nil),
        linked("unlinked: [ann, ben]", [[1], [0]], "ann is still linked to ben"),
    ]

    private static func linked(
        _ expectation: String,
        _ links: [[Int]],
        _ missing: String?
    ) -> Verdict {
        var verdict = Verdict(expectation, [[], [], []], missing)
        for (index, links) in links.enumerated() {
            verdict.views[index].links = links.map(HostID.init)
        }
        return verdict
    }

    private static let counts = [
        counted("received: {by: ann}", .total(7), .total(8), nil),
        counted("received: {by: ann}", .total(7), .total(9), "received 2 messages for 1 sessions"),
        counted("received: {by: ann, at-most: 2}", .total(7), .total(9), nil),
        counted("received: {by: ann}", .each(["s": 1]), .each(["s": 2]), nil),
        counted(
            "received: {by: ann}",
            .each(["s": 1]),
            .each(["s": 3]),
            "received 2 messages of s"
        ),
        closed([1: 2], [1: 2], nil),
        closed([1: 2], [1: 3], "lost a link to ben"),
    ]

    private static func counted(
        _ expectation: String,
        _ before: ReceivedCount,
        _ after: ReceivedCount,
        _ missing: String?
    ) -> Verdict {
        var verdict = Verdict(expectation, [[sight()]], missing.map { "ann: \($0)" })
        verdict.before = verdict.views
        verdict.before[0].received = before
        verdict.views[0].received = after
        return verdict
    }

    private static func closed(
        _ before: [Int: Int],
        _ after: [Int: Int],
        _ missing: String?
    ) -> Verdict {
        var verdict = Verdict("unbroken: [ann, ben]", [[], []], missing.map { "ann: \($0)" })
        verdict.before = verdict.views
        for (host, count) in before { verdict.before[0].closures[HostID(host)] = count }
        for (host, count) in after { verdict.views[0].closures[HostID(host)] = count }
        return verdict
    }

    private static let strangers: [Verdict] = [
        stranger("duplicate: ann", "ann: says nothing of a duplicate") { _ in },
        stranger("turned-away: ann", "ann: nobody intruded") { $0[0].intrudersEnded = 1 },
        stranger("duplicate: ann", nil) { $0[0].saidDuplicate = true },
    ]

    private static func stranger(
        _ expectation: String,
        _ missing: String?,
        _ change: (inout [HostView]) -> Void
    ) -> Verdict {
        var verdict = Verdict(expectation, [[], [], []], missing)
        change(&verdict.views)
        return verdict
    }

    // MARK: Parts

    private var views: [HostView] {
        get { after }
        set { self = Verdict(expectation, acknowledged, before, newValue, missing) }
    }

    private init(_ expectation: String, _ sessions: [[SessionSight]], _ missing: String?) {
        let views = sessions.enumerated().map { index, sessions in
            var view = HostView(HostID(index))
            view.isRunning = true
            view.sessions = sessions
            return view
        }
        self.init(expectation, [], [], views, missing)
    }

    private init(
        _ expectation: String,
        _ acknowledged: [Message],
        _ before: [HostView],
        _ after: [HostView],
        _ missing: String?
    ) {
        self.expectation = expectation
        self.acknowledged = acknowledged
        self.before = before
        self.after = after
        self.missing = missing
    }

    private static func sight(
        _ id: String = "1",
        session: String = "s",
        url: String = "u",
        others: [String] = [],
        picture: SessionSight.Picture = .none
    ) -> SessionSight {
        SessionSight(
            session: session,
            id: id,
            revision: 1,
            url: url,
            others: others,
            picture: picture
        )
    }
}
