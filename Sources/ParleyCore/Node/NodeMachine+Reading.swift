/// A session as a person may look at it.
package struct SessionView: Sendable {
    package let conversation: UInt32
    package let tag: SessionTag
    package let row: Int64
    /// The feed position of its latest change.
    package let position: UInt64
    /// The shown one first.
    package var heads: [HeadView]
    package let lines: [ShownLine]
}

/// A head with its author.
package struct HeadView: Sendable {
    package let dot: Dot
    package let revision: UInt64
    package let next: [ParticipantID]
    package let blobs: [BlobReference]
    package let isTombstone: Bool
    /// Nil while only the store has the bytes.
    package var envelope: Slice?
    package let author: AuthorView?
}

/// Who wrote something.
package struct AuthorView: Sendable, Equatable {
    package let device: DeviceID
    package let participant: ParticipantID

    package init(device: DeviceID, participant: ParticipantID) {
        self.device = device
        self.participant = participant
    }
}

extension NodeMachine {
    /// What a person sees of a conversation, by place: the shown messages, and the lines that
    /// replaced ones left.
    package func transcript(ofConversation number: UInt32) -> [TranscriptEntry] {
        guard let slot = conversationIndex(number) else { return [] }
        var entries: [TranscriptEntry] = []
        for (index, session) in conversations[slot].sessions.enumerated() {
            guard let shown = session.register.shown else { continue }
            let place = session.shownLine?.place ?? 0
            entries.append(
                .message(session: Int32(index), place: place, dot: shown.dot)
            )
            for line in session.lines.lines where line.dot != shown.dot {
                entries.append(.summary(session: Int32(index), line))
            }
        }
        return entries.sorted()
    }

    /// The session with this number in its conversation.
    package func session(_ session: Int32, ofConversation number: UInt32) -> SessionView? {
        guard let slot = conversationIndex(number),
            conversations[slot].sessions.indices.contains(Int(session))
        else { return nil }
        return view(session, slot: slot)
    }

    /// The session known by `tag`.
    package func session(tag: SessionTag, ofConversation number: UInt32) -> SessionView? {
        guard let slot = conversationIndex(number),
            let session = conversations[slot].sessionNumbers[tag]
        else { return nil }
        return view(session, slot: slot)
    }

    /// The sessions with more than one head.
    package func conflicts(ofConversation number: UInt32) -> [SessionView] {
        guard let slot = conversationIndex(number) else { return [] }
        return conversations[slot].sessions.indices
            .filter { conversations[slot].sessions[$0].register.isConflict }
            .map { view(Int32($0), slot: slot) }
    }

    /// The tag of a session that this node may read.
    package func tag(of session: SessionID, inConversation number: UInt32) -> SessionTag? {
        conversationIndex(number).flatMap {
            conversations[$0].keys.tag(of: session, using: crypto)
        }
    }

    /// The body of an envelope of a conversation that this node may read.
    package func open(_ envelope: Slice, inConversation number: UInt32) -> MessageBody? {
        // What cannot be decoded was never stored; what does not open is shown as unreadable.
        guard let slot = conversationIndex(number),
            let decoded = try? Envelope(decoding: envelope),
            let key = conversations[slot].keys.bodyKey(
                of: decoded.header.dot.origin,
                using: crypto
            )
        else { return nil }
        return conversations[slot].open(decoded, bodyKey: key, using: crypto)
    }

    /// Whoever wrote under an origin, if it is known.
    package func author(of origin: OriginID, inConversation number: UInt32) -> AuthorView? {
        conversationIndex(number)
            .flatMap { conversations[$0].origins[origin] }
            .map { AuthorView(device: $0.device, participant: $0.participant) }
    }

    /// The UUID of a session whose shown message could be opened here.
    package func sessionID(tag: SessionTag, inConversation number: UInt32) -> SessionID? {
        conversationIndex(number).flatMap { conversations[$0].session(tag)?.shownLine?.session }
    }

    /// The sessions with a head that lists the blob.
    package func sessions(
        listing blob: BlobID,
        inConversation number: UInt32
    ) -> [SessionTag] {
        guard let slot = conversationIndex(number) else { return [] }
        return conversations[slot].sessions
            .filter { $0.heads.contains { $0.blobs.contains { $0.id == blob } } }
            .map(\.tag)
    }

    /// What a device is called, as it says on a link or said as a member; nil if it never did.
    package func name(of device: DeviceID) -> String? {
        device == self.device
            ? configuration.deviceName : links.deviceName(of: device) ?? names[device]
    }

    /// Whether all of a blob is here.
    package func hasBlob(_ blob: BlobID) -> Bool { blobs.isComplete(blob) }

    /// Envelope bytes that wait for the disk.
    package var pendingBytes: Int { commits.pendingBytes }

    private func view(_ session: Int32, slot: Int) -> SessionView {
        let state = conversations[slot].sessions[Int(session)]
        let heads = state.register.heads.compactMap { head -> HeadView? in
            guard let record = state.record(of: head.dot) else { return nil }
            let origin = conversations[slot].origins[head.dot.origin]
            return HeadView(
                dot: head.dot,
                revision: head.revision,
                next: record.next,
                blobs: record.blobs,
                isTombstone: record.isTombstone,
                envelope: record.envelope,
                author: origin.map {
                    AuthorView(device: $0.device, participant: $0.participant)
                }
            )
        }
        return SessionView(
            conversation: conversations[slot].number,
            tag: state.tag,
            row: state.row,
            position: conversations[slot].feed.position(of: session) ?? 0,
            heads: heads,
            lines: state.lines.lines
        )
    }
}

extension Link {
    /// The latest round trip, nil before the first.
    package var roundTrip: Interval? { liveness.roundTrip }
    /// Whether something sent has not been answered for a second.
    package var isSuspect: Bool { liveness.isSuspect }
    /// Conversations that both sides have.
    package var conversations: [UInt32] { shares.map(\.conversation) }
}
