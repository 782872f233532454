import Foundation
import ParleyNode

/// What a session puts on something else: a sticker on a message, an addition to a session.
protocol PlacedSide: Hashable, Identifiable where ID == SessionID {
    associatedtype Target: Hashable
    /// The message or session that it is on.
    var target: Target { get }
}

/// The stickers or additions of one conversation that were read or have changed last.
struct PlacedSides<Side: PlacedSide> {
    private struct Entry {
        var side: Side
        /// A number that rises with each new side.
        let arrival: UInt64
        /// When the side was read or changed last, as a number that rises.
        var use: UInt64
    }

    private var entries: [SessionID: Entry] = [:]
    private var lastUse: UInt64 = 0
    private var sessions: [Side.Target: Set<SessionID>] = [:]

    /// The sides that are remembered, more than a page has; for a while, twice as many may be.
    static var countMax: Int { TranscriptPage.entriesMax * PlacedSticker.countMax }

    /// The side in that session.
    subscript(session: SessionID) -> Side? { entries[session]?.side }

    /// All targets, whether they are known here or not.
    var targets: Set<Side.Target> { Set(sessions.keys) }

    /// The sides on a target, in the order of arrival.
    func all(on target: Side.Target) -> [Side] {
        (sessions[target] ?? []).compactMap { entries[$0] }
            .sorted { $0.arrival < $1.arrival }
            .map(\.side)
    }

    /// Notes the side in a session, or its absence; returns the targets whose sides changed.
    mutating func set(_ side: Side?, of session: SessionID) -> Set<Side.Target> {
        let before = entries[session]
        if let side {
            lastUse += 1
            let arrival = before?.arrival ?? lastUse
            entries[session] = Entry(side: side, arrival: arrival, use: lastUse)
        } else {
            entries[session] = nil
        }
        defer { forgetOld() }
        guard before?.side != side else { return [] }
        if let target = before?.side.target {
            sessions[target]?.remove(session)
            if sessions[target]?.isEmpty ?? false { sessions[target] = nil }
        }
        if let side { sessions[side.target, default: []].insert(session) }
        return Set([before?.side, side].compactMap { $0?.target })
    }

    private mutating func forgetOld() {
        // Forgetting half at once makes sorting rare.
        guard entries.count >= 2 * Self.countMax else { return }
        let old = entries.sorted { $0.value.use < $1.value.use }.dropLast(Self.countMax)
        for (session, _) in old { _ = set(nil, of: session) }
    }
}

typealias PlacedStickers = PlacedSides<PlacedSticker>

extension PlacedSticker: PlacedSide {
    var target: MessageID { placement.message }
}

extension PlacedStickers {
    /// The stickers on a message, the oldest first; of too many the latest.
    func on(_ message: MessageID) -> [PlacedSticker] {
        all(on: message).sorted {
            ($0.sentAt, $0.message.description) < ($1.sentAt, $1.message.description)
        }
        .suffix(PlacedSticker.countMax)
    }

    /// Notes that a sticker's picture has arrived; returns the messages whose stickers changed.
    mutating func pictureArrived(_ session: SessionID) -> Set<MessageID> {
        guard var sticker = self[session] else { return [] }
        sticker.picture = PictureInfo(
            sha256: sticker.picture.sha256,
            type: sticker.picture.type,
            bytes: sticker.picture.bytes,
            isHere: true
        )
        return set(sticker, of: session)
    }
}

/// What a participant has added to a session, for example a seat in a match.
struct PlacedAddition: PlacedSide {
    /// The session of the addition, in which nobody but the sender writes.
    let id: SessionID
    /// The participant who added it.
    let sender: UUID
    /// The message that adds it.
    let message: MessageID
    let addition: Addition

    var target: SessionID { addition.session }

    /// Reads the addition in a session; nil if there is none, or if it was taken back.
    init?(_ session: SessionID, heads: [Message]) {
        let own = heads.first { SessionMapping.isOwn(session, of: $0.sender.id) }
        guard let own, !own.isEnd, let addition = own.content?.addition else { return nil }
        id = session
        sender = own.sender.id
        message = own.id
        self.addition = addition
    }
}

extension PlacedSides<PlacedAddition> {
    /// The additions of a kind to a session, in the order of arrival.
    func on(_ session: SessionID, _ kind: Addition.Kind) -> [PlacedAddition] {
        all(on: session).filter { $0.addition.kind == kind }
    }
}
