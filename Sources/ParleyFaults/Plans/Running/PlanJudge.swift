/// Decides from observations whether an expectation holds.
struct PlanJudge {
    /// The part that is still missing, in one sentence; nil if the expectation holds.
    typealias Verdict = String?

    let plan: Plan
    let book: PlanBook

    // MARK: Observations needed

    /// The observations that an expectation needs, and the hosts to observe.
    func question(_ expectation: PlanExpectation) -> PlanQuestion {
        PlanQuestion(
            parts: Self.parts(expectation.matter),
            conversation: expectation.conversation,
            hosts: hosts(expectation)
        )
    }

    private static func parts(_ matter: PlanMatter) -> PlanQuestion.Parts {
        switch matter {
        case .shown(_, _, let withPicture): withPicture ? [.sessions, .pictures] : .sessions
        case .same, .conflict, .noConflict, .nothingLost: .sessions
        case .received: [.sessions, .received]
        case .linked, .unlinked: .links
        case .unbroken: .closures
        case .stranger: [.sessions, .links, .remembered, .refusals]
        case .turnedAway, .duplicate: .refusals
        }
    }

    private func hosts(_ expectation: PlanExpectation) -> [HostID] {
        switch expectation.matter {
        case .linked(let hosts), .unlinked(let hosts), .unbroken(let hosts),
            .turnedAway(let hosts), .duplicate(let hosts):
            return hosts
        case .received(let host, _): return [host]
        case .stranger(let stranger):
            let members = plan.conversations[expectation.conversation].members.map(\.host)
            return (members.filter(book.running.contains) + [stranger]).sorted()
        case .shown, .same, .conflict, .noConflict, .nothingLost:
            return expectation.hosts ?? audience(expectation.conversation)
        }
    }

    private func audience(_ conversation: Int) -> [HostID] {
        plan.conversations[conversation].audience.filter(book.running.contains)
    }

    // MARK: Verdicts

    func verdict(_ expectation: PlanExpectation, _ views: [HostView]) -> Verdict {
        if let dead = views.first(where: { !$0.isRunning }) {
            return "\(plan.name(dead.host)) does not run"
        }
        switch expectation.matter {
        case .shown(let session, let url, let withPicture):
            return first(views) { shown(session, url, withPicture, $0) }
        case .same(let messages): return same(messages, views)
        case .conflict(let session, let heads): return conflict(session, heads, views)
        case .noConflict:
            return first(views) { view in
                view.sessions.first { !$0.others.isEmpty }.map { "\($0.session) is in conflict" }
            }
        case .received(_, let most): return first(views) { received(most, $0) }
        case .linked(let hosts): return linked(hosts, views)
        case .unlinked: return unlinked(views)
        case .unbroken(let hosts): return first(views) { unbroken(hosts, $0) }
        case .nothingLost: return first(views) { lost(expectation.conversation, $0) }
        case .stranger(let host): return stranger(host, views)
        case .turnedAway: return first(views, intruders)
        case .duplicate:
            return first(views) { $0.saidDuplicate ? nil : "says nothing of a duplicate" }
        }
    }

    private func first(_ views: [HostView], _ missing: (HostView) -> String?) -> Verdict {
        for view in views {
            if let what = missing(view) { return "\(plan.name(view.host)): \(what)" }
        }
        return nil
    }

    private func shown(
        _ session: String,
        _ url: String,
        _ withPicture: Bool,
        _ view: HostView
    ) -> String? {
        guard let sight = view.sessions.first(where: { $0.session == session }) else {
            return "shows nothing of \(session)"
        }
        guard sight.url == url else { return "shows \(Self.short(sight.url)) in \(session)" }
        guard withPicture else { return nil }
        switch sight.picture {
        case .whole: return nil
        case .wrong: return "has another picture"
        case .none, .missing: return "has no picture yet"
        }
    }

    private func same(_ messages: Int?, _ views: [HostView]) -> Verdict {
        guard let reference = views.first else { return "nobody is there to show it" }
        for view in views {
            if let messages, view.sessions.count != messages {
                return "\(plan.name(view.host)): shows \(view.sessions.count) of \(messages)"
            }
            let other = zip(view.sessions, reference.sessions).first { pair in
                pair.0.session != pair.1.session || pair.0.id != pair.1.id
                    || pair.0.others != pair.1.others
            }
            if let other { return differ(view, reference, "in \(other.0.session)") }
            guard view.sessions.count == reference.sessions.count else {
                return differ(view, reference, "in how many sessions they show")
            }
        }
        return nil
    }

    private func differ(_ one: HostView, _ other: HostView, _ how: String) -> String {
        "\(plan.name(one.host)) and \(plan.name(other.host)) differ \(how)"
    }

    private func conflict(_ session: String, _ heads: Int, _ views: [HostView]) -> Verdict {
        let found = first(views) { view -> String? in
            let open = view.sessions.filter { !$0.others.isEmpty }
            guard let sight = open.first(where: { $0.session == session }) else {
                return "no conflict in \(session)"
            }
            guard open.count == 1 else { return "\(open.count) conflicts" }
            guard sight.others.count == heads - 1 else {
                return "\(sight.others.count + 1) heads, not \(heads)"
            }
            return nil
        }
        if let found { return found }
        let sights = views.compactMap { $0.sessions.first { $0.session == session } }
        guard Set(sights.map(\.id)).count == 1 else { return "they show different winners" }
        guard Set(sights.map(\.others)).count == 1 else { return "they keep different losers" }
        return nil
    }

    private func received(_ most: Int, _ view: HostView) -> String? {
        switch (view.received, book.baseline[view.host]?.received) {
        case (.total(let now), let before):
            var start = 0
            if case .total(let count)? = before { start = count }
            let limit = most * view.sessions.count
            guard now - start > limit else { return nil }
            return "received \(now - start) messages for \(view.sessions.count) sessions"
        case (.each(let now), let before):
            var start: [String: Int] = [:]
            if case .each(let counts)? = before { start = counts }
            let often = now.filter { $0.value - (start[$0.key] ?? 0) > most }
            guard let name = often.keys.min() else { return nil }
            return "received \((now[name] ?? 0) - (start[name] ?? 0)) messages of \(name)"
        }
    }

    private func linked(_ hosts: [HostID], _ views: [HostView]) -> Verdict {
        first(views) { view in
            let missing = hosts.first { other in
                other != view.host && book.canReach(view.host, other)
                    && sharesConversation(view.host, other) && !view.links.contains(other)
            }
            return missing.map { "no link to \(plan.name($0))" }
        }
    }

    /// A link is live if both sides report it.
    private func unlinked(_ views: [HostView]) -> Verdict {
        for (index, view) in views.enumerated() {
            for other in views[..<index]
            where view.links.contains(other.host) && other.links.contains(view.host) {
                return "\(plan.name(other.host)) is still linked to \(plan.name(view.host))"
            }
        }
        return nil
    }

    private func sharesConversation(_ one: HostID, _ other: HostID) -> Bool {
        plan.conversations.contains { $0.role(of: one) != nil && $0.role(of: other) != nil }
    }

    private func unbroken(_ hosts: [HostID], _ view: HostView) -> String? {
        for other in hosts where other != view.host {
            let before = book.baseline[view.host]?.closures[other] ?? 0
            if (view.closures[other] ?? 0) > before { return "lost a link to \(plan.name(other))" }
        }
        return nil
    }

    private func lost(_ conversation: Int, _ view: HostView) -> String? {
        var sights: [String: SessionSight] = [:]
        for sight in view.sessions { sights[sight.session] = sight }
        for message in book.acknowledged where message.conversation == conversation {
            guard let sight = sights[message.session] else {
                return "shows nothing of \(message.session)"
            }
            let isKept =
                sight.id == message.id || sight.others.contains(message.id)
                || sight.revision > message.revision
            guard isKept else {
                return "lacks revision \(message.revision) of \(message.session)"
            }
        }
        return nil
    }

    private func stranger(_ stranger: HostID, _ views: [HostView]) -> Verdict {
        for view in views {
            let isStranger = view.host == stranger
            let others = isStranger ? views.map(\.host).filter { $0 != stranger } : [stranger]
            if isStranger, !view.sessions.isEmpty { return "the stranger has sessions" }
            if let peer = (view.links + view.peers).first(where: others.contains) {
                return "\(plan.name(view.host)): takes \(plan.name(peer)) for a member"
            }
            if let known = view.remembered.first(where: others.contains) {
                return "\(plan.name(view.host)): keeps the device of \(plan.name(known))"
            }
        }
        return views.contains { $0.turnedAway > 0 } ? nil : "nobody was turned away yet"
    }

    private func intruders(_ view: HostView) -> String? {
        let came = book.intrusions[view.host] ?? 0
        guard came > 0 else { return "nobody intruded" }
        guard view.intrudersEnded < came else { return nil }
        return "turned \(view.intrudersEnded) of \(came) intruders away"
    }

    static func short(_ url: String) -> String { url.count <= 40 ? url : "\(url.prefix(39))…" }
}
