import Foundation
import ParleyNode

/// Who has which match of a conversation open, and who was nudged; nothing of it is stored.
struct Boards {
    /// Until when each participant counts as present at each match.
    private var present: [SessionID: [UUID: Date]] = [:]
    /// When this device nudged last.
    private var nudged: [SessionID: Date] = [:]
    /// When each participant nudged this device last.
    private var nudges: [SessionID: [UUID: Date]] = [:]

    /// The time between two signals of somebody who is there: 15 to 20 s.
    ///
    /// The guests of a node share its limit, and would hide one another if all beat as one.
    static func beat(of participant: UUID) -> TimeInterval {
        20 - 5 * TimeInterval(participant.uuid.0) / 255
    }

    /// The time after which somebody without a signal has gone.
    static let patience: TimeInterval = 45
    /// The time for which it is another's turn before this device can nudge.
    static let waitBeforeNudge: TimeInterval = 30
    /// The time between two nudges in a match, of one participant.
    static let pauseOfNudges: TimeInterval = 60
    /// The most matches that are remembered, and participants at each.
    private static let sessionsMax = 256
    private static let participantsMax = 64

    /// The participants at a match, in the order of their UUIDs.
    func present(in session: SessionID, at now: Date) -> [UUID] {
        (present[session] ?? [:]).filter { $0.value > now }.keys
            .sorted { $0.uuidString < $1.uuidString }
    }

    /// Takes a signal of somebody who is there or has gone; returns whether that is news.
    mutating func heard(
        isThere: Bool,
        _ participant: UUID,
        in session: SessionID,
        at now: Date
    ) -> Bool {
        let before = present(in: session, at: now)
        present = Self.pruned(present) { $0 > now }
        if isThere, Self.admits(participant, in: session, to: present) {
            present[session, default: [:]][participant] = now + Self.patience
        } else if !isThere {
            present[session]?[participant] = nil
        }
        return before != present(in: session, at: now)
    }

    /// Takes a nudge; returns whether it is to be shown.
    mutating func nudged(by participant: UUID, in session: SessionID, at now: Date) -> Bool {
        nudges = Self.pruned(nudges) { $0 + Self.pauseOfNudges > now }
        guard nudges[session]?[participant] == nil,
            Self.admits(participant, in: session, to: nudges)
        else { return false }
        nudges[session, default: [:]][participant] = now
        return true
    }

    /// Notes an own nudge.
    mutating func nudges(in session: SessionID, at now: Date) {
        nudged = nudged.filter { $0.value + Self.pauseOfNudges > now }
        nudged[session] = now
    }

    /// When this device may nudge again; nil if it has not nudged.
    func mayNudge(in session: SessionID) -> Date? {
        nudged[session].map { $0 + Self.pauseOfNudges }
    }

    /// The times at which somebody counts as gone, by the match.
    var ends: [(session: SessionID, time: Date)] {
        present.flatMap { session, times in times.values.map { (session, $0) } }
    }

    private static func pruned(
        _ times: [SessionID: [UUID: Date]],
        _ isKept: (Date) -> Bool
    ) -> [SessionID: [UUID: Date]] {
        times.mapValues { $0.filter { isKept($0.value) } }.filter { !$0.value.isEmpty }
    }

    private static func admits(
        _ participant: UUID,
        in session: SessionID,
        to times: [SessionID: [UUID: Date]]
    ) -> Bool {
        guard let others = times[session] else { return times.count < sessionsMax }
        return others[participant] != nil || others.count < participantsMax
    }
}
