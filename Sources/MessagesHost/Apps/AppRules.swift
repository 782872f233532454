import Foundation
import Messages
import ParleyNode

/// The rules of the apps of a host, which the node asks on its own queue.
struct AppRules: Sendable {
    private let apps: [HostedApp]

    init(_ apps: [HostedApp]) {
        self.apps = apps
    }

    /// The ruling of the app of a message; nil if no such app is here.
    ///
    /// Whoever wrote the message may not have known yet who left, so a message is allowed if it is
    /// without some of them.
    func ruling(_ detail: MoveDetail) -> ParleyRuling? {
        let all = ruling(detail, quit: detail.quit)
        guard case .against = all else { return all }
        let quit = (detail.before.match?.seats ?? []).filter(detail.quit.contains)
        let others = Self.subsets(of: quit)
        return others.lazy.compactMap { ruling(detail, quit: $0) }
            .first { $0.isAllowed != false } ?? all
    }

    /// All sets without at least one of them; of very many only those of the first ones.
    private static func subsets(of quit: [UUID]) -> [Set<UUID>] {
        let few = quit.prefix(leaversMax)
        return (0..<(1 << few.count)).map { bits in
            Set(few.indices.filter { bits >> $0 & 1 == 1 }.map { few[$0] })
        }
    }

    private static let leaversMax = 5

    private func ruling(_ detail: MoveDetail, quit: Set<UUID>) -> ParleyRuling? {
        let speaking = apps.filter { $0.speaks == detail.before.app }
        guard !speaking.isEmpty else { return nil }
        guard let rules = speaking.lazy.compactMap(\.rules).first else { return .allowed }
        guard detail.after.app == detail.before.app else {
            return .against("Another app wrote it.")
        }
        guard let before = standing(detail.before, detail, detail.chance, quit: quit),
            let after = standing(detail.after, detail, ChanceDetail(), quit: quit)
        else { return .unknown }
        // Two kinds of messages come from hosts and not from apps: the end once all others have
        // left, and going on without them.
        let isLast = before.active.count <= min(1, before.match.seats.count - 1)
        if isLast, after.match.phase == .over, after.match.outcomes == before.lastOutcomes {
            return .allowed
        }
        if before.isAbandoned, after.match.phase == .running,
            detail.after.url == detail.before.url
        {
            return .allowed
        }
        return rules(
            ParleyMove(
                before: ParleyMove.Position(detail.before.url, before),
                after: ParleyMove.Position(detail.after.url, after)
            )
        )
    }

    /// The reason why a message is against the rules; nil if it is not.
    func reason(_ detail: MoveDetail) -> String? {
        if case .against(let reason) = ruling(detail) { reason } else { nil }
    }

    private func standing(
        _ content: MessageContent,
        _ detail: MoveDetail,
        _ chance: ChanceDetail,
        quit: Set<UUID>
    ) -> MatchStanding? {
        guard let match = content.match else { return nil }
        return MatchStanding(
            match: match,
            session: detail.session,
            author: detail.author,
            joined: [],
            previous: match.previous,
            hasWaited: false,
            rematchSeats: nil,
            quitters: quit,
            me: detail.author,
            canWrite: false,
            violations: [],
            chance: ChanceDetail(
                roll: chance.roll
                    ?? match.roll.map {
                        RollDetail($0.kind, number: $0.number, values: [:], missing: [], due: nil)
                    },
                deck: chance.deck
            ),
            opened: [:],
            exchanges: [],
            seenAt: nil,
            mayNudgeAt: nil
        )
    }
}

extension ParleyMove.Position {
    fileprivate init(_ url: String?, _ standing: MatchStanding) {
        self.url = url.flatMap(MessageContents.url)
        match = standing.made(at: .distantPast, watchers: [], present: [])
    }
}
