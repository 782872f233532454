package import ParleyCore

extension World {
    // MARK: Conversations

    /// Makes running nodes join a conversation.
    package func join(
        _ conversation: SimulatedConversation,
        _ joining: [Int],
        as role: Capability.Role = .writer
    ) {
        for node in joining where nodes[node].isRunning {
            let record = conversation.record(
                number: nodes[node].disk.nextConversation(),
                role: role,
                device: nodes[node].device
            )
            note(node, "joins \(conversation.name) as \(role)")
            emit(.joined(node: node, conversation.id, role))
            input(.joined(record), to: node)
        }
    }

    /// Makes a node leave a conversation, if it is a member.
    package func leave(_ conversation: SimulatedConversation, _ node: Int) {
        guard let number = number(of: conversation, at: node) else { return }
        note(node, "leaves \(conversation.name)")
        nodes[node].person.leave(conversation.id)
        emit(.left(node: node, conversation.id))
        input(.left(conversation: number), to: node)
    }

    /// The number under which a node knows a conversation.
    package func number(of conversation: SimulatedConversation, at node: Int) -> UInt32? {
        nodes[node].state(of: conversation)?.number
    }

    // MARK: Guests

    /// Gives a guest of a node a seat in a conversation.
    package func seat(
        _ guest: SimulatedGuest,
        at node: Int,
        in conversation: SimulatedConversation
    ) {
        guard let number = number(of: conversation, at: node) else { return }
        note(node, "gives seat \(guest.seat.value) to \(guest.name)")
        input(.seated(conversation: number, guest.seat, guest.kept), to: node)
    }

    /// Takes a seat of a node from its guest.
    package func unseat(
        _ seat: SeatNumber,
        at node: Int,
        in conversation: SimulatedConversation
    ) {
        guard let number = number(of: conversation, at: node) else { return }
        note(node, "takes seat \(seat.value) back")
        input(.seated(conversation: number, seat, nil), to: node)
    }

    // MARK: Invites that end

    /// The conversation to which people are invited for a while.
    package static let visited = SimulatedConversation(9, name: "visit")

    /// Makes an invite that ends at a node, which begins the visited conversation first.
    package func invite(at node: Int, uses: UInt32, lasts: UInt64?, pick: UInt64) {
        if number(of: Self.visited, at: node) == nil { join(Self.visited, [node]) }
        guard let number = number(of: Self.visited, at: node), let machine = nodes[node].machine
        else { return }
        let clock = nodes[node].clock.read(at: now)
        let invite = EndingInvite(
            number: machine.members.invites.nextNumber,
            role: .writer,
            token: Bytes16(pick, UInt64(doors.count)),
            keys: Slice(Array("keys".utf8)),
            uses: uses,
            lasts: lasts,
            madeAt: clock.wall
        )
        let device = nodes[node].device
        doors.append(
            KnockRequests.Door(device: device, invite: invite.number, token: invite.token)
        )
        note(node, "makes invite \(invite.number) for \(uses) devices, \(lasts ?? 0) s")
        input(.invited(conversation: number, invite, clock), to: node)
    }

    /// Revokes an invite, if its node has it.
    package func revoke(_ door: KnockRequests.Door) {
        guard let node = nodes.firstIndex(where: { $0.device == door.device }),
            var entry = nodes[node].machine?.members.invites[door.invite],
            entry.invite.token == door.token
        else { return }
        entry.revoke()
        let clock = nodes[node].clock.read(at: now)
        input(.invited(conversation: entry.conversation, entry.invite, clock), to: node)
    }

    /// Somebody at a node knocks, unless the node has the conversation.
    package func knock(at door: KnockRequests.Door, by node: Int) {
        guard nodes[node].device != door.device, number(of: Self.visited, at: node) == nil else {
            return
        }
        note(node, "knocks by invite \(door.invite)")
        input(.knock(door), to: node)
    }

    /// Joins the conversation of the keys that came.
    func enter(by notice: KnockNotice, _ node: Int) {
        guard case .letIn = notice.end, number(of: Self.visited, at: node) == nil else { return }
        // The shell joins by a step of its own.
        timeline.plan(event(.visit, at: node), in: 1...1)
    }

    // MARK: Messages

    /// A message to be sent.
    package struct Draft {
        package var session: String
        package var text: String
        package var next: [ParticipantID] = []
        package var replacing: [Dot]?
        package var picture: InlinePicture?
        package var following = AuthorRequest.Following.no
        package var isTombstone = false
        package var summary: String?
        /// The seat of the guest who writes; nil for the person at the node.
        package var seat: SeatNumber?
        package var role: MessageRole?
        /// Whether the node refuses what is against the rules of a turn game.
        package var isJudged = true
        /// The sealed parts for single players of a turn game.
        package var parts: [AuthorRequest.Part] = []

        /// A message; if `replacing` is nil, it replaces all heads of the session.
        package init(
            session: String,
            text: String,
            next: [ParticipantID] = [],
            replacing: [Dot]? = nil,
            picture: InlinePicture? = nil,
            following: AuthorRequest.Following = .no,
            isTombstone: Bool = false,
            summary: String? = nil,
            seat: SeatNumber? = nil
        ) {
            self.session = session
            self.text = text
            self.next = next
            self.replacing = replacing
            self.picture = picture
            self.following = following
            self.isTombstone = isTombstone
            self.summary = summary
            self.seat = seat
        }

        fileprivate func request(
            _ id: RequestID,
            _ conversation: UInt32,
            as guest: ParticipantID?,
            sentAt: Int64
        ) -> AuthorRequest {
            var request = AuthorRequest(
                request: id,
                conversation: conversation,
                guest: guest,
                body: body(sentAt: sentAt),
                next: next,
                isTombstone: isTombstone,
                picture: picture,
                replacing: replacing,
                following: following
            )
            request.isJudged = isJudged
            request.parts = parts
            return request
        }

        fileprivate func body(sentAt: Int64) -> MessageBody {
            MessageBody(
                session: SessionUUID(session: session),
                place: 0,
                sentAt: sentAt,
                app: "test",
                url: text,
                summaryText: summary,
                layout: .template(TemplateLayout(caption: String(text.prefix(40)))),
                role: role
            )
        }
    }

    /// Sends a batch of messages, those of one author under one signature; returns the IDs of the
    /// requests.
    @discardableResult
    package func send(
        _ drafts: [Draft],
        by node: Int,
        in conversation: SimulatedConversation
    ) -> [RequestID] {
        let number = number(of: conversation, at: node) ?? 0
        let sentAt = nodes[node].clock.wallMilliseconds(at: now)
        let author = participant(node, in: conversation)
        let requests = drafts.map { draft in
            let id = nodes[node].person.nextRequest(at: node)
            let guest = draft.seat.map { nodes[node].machine?.guest(at: $0, in: number) ?? .nobody }
            var request = draft.request(id, number, as: guest, sentAt: sentAt)
            // As the node itself does; checkers know requests by their sessions.
            request.address(by: author, using: nodes[node].crypto)
            return request
        }
        for draft in drafts { trace.name(draft.session, in: number, of: nodes[node]) }
        figures.asked += requests.count
        input(.authored(requests), to: node)
        return requests.map(\.request)
    }

    /// Sends one message; returns the ID of the request.
    @discardableResult
    package func send(
        _ session: String,
        _ text: String,
        by node: Int,
        in conversation: SimulatedConversation
    ) -> RequestID {
        let draft = Draft(session: session, text: text)
        return send([draft], by: node, in: conversation)[0]
    }

    /// A node as the members of a conversation see it.
    package func participant(_ node: Int, in conversation: SimulatedConversation) -> ParticipantID {
        ParticipantID(
            conversation: conversation.id,
            device: nodes[node].device,
            using: nodes[node].crypto
        )
    }

    // MARK: Shown messages

    /// A session as a node shows it, nil if the node does not have it.
    package func view(
        _ session: String,
        in conversation: SimulatedConversation,
        at node: Int
    ) -> SessionView? {
        tag(session, in: conversation).flatMap { nodes[node].view($0, in: conversation) }
    }

    /// The tag of a session, which every reader can derive.
    package func tag(_ session: String, in conversation: SimulatedConversation) -> SessionTag? {
        let id = SessionUUID(session: session)
        let tags = nodes.lazy.compactMap { node in
            node.state(of: conversation)?.keys.tag(of: id, using: node.crypto)
        }
        return tags.first
    }

    /// The shown message, opened by the node.
    package func body(
        _ session: String,
        in conversation: SimulatedConversation,
        at node: Int
    ) -> MessageBody? {
        tag(session, in: conversation).flatMap { nodes[node].body($0, in: conversation) }
    }

    /// The URL of the shown message, which stands for its text.
    package func text(_ session: String, in conversation: SimulatedConversation, at node: Int)
        -> String?
    {
        body(session, in: conversation, at: node)?.url
    }

    /// The picture of the shown message, from the blob on the node's disk.
    package func opened(
        _ session: String,
        in conversation: SimulatedConversation,
        at node: Int
    ) -> [UInt8]? {
        tag(session, in: conversation).flatMap { nodes[node].picture($0, in: conversation) }
    }

    /// The text of the shown message at every node.
    package func texts(_ session: String, in conversation: SimulatedConversation) -> [String?] {
        nodes.indices.map { text(session, in: conversation, at: $0) }
    }

    package func answer(_ request: RequestID) -> AuthorAnswer? {
        nodes[Int(request.value >> 32)].person.answers[request]
    }
}

extension SessionUUID {
    /// A session by a name.
    package init(session name: String) {
        let hash = SimulatedCryptography(seed: 0).sha256(Array(name.utf8))
        self.init(hash.prefix16)
    }
}
