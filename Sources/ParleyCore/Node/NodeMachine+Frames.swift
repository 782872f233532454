/// Cuts bytes into frames, and dispatches each frame.
extension NodeMachine {
    /// Bytes arrived: handles the whole frames among them in order, up to the work of a turn.
    mutating func received(_ bytes: Slice, on link: LinkID) {
        guard let index = links.all.index(of: link) else { return }
        if links[index].isSuspect {
            dialer.linksChanged(at: step.now)
            links.resumed(index, conversations)
            author.resumed(index, links, conversations, at: step.now)
        }
        links[index].received(bytes, at: step.now)
        do throws(Refusal) {
            while links[index].phase != .closing, let frame = try links[index].nextFrame() {
                try take(frame, on: index)
            }
        } catch {
            links.refuse(error, on: index, into: &step)
        }
    }

    private mutating func take(_ raw: RawFrame, on index: Int) throws(Refusal) {
        // The most frequent frames are decoded without the large `Frame`.
        if raw.hasEnvelopes, links[index].isMember {
            return try envelopesReceived(raw, on: index)
        }
        guard let frame = try raw.frame() else {
            // Hello comes first in every version, so no later version has a frame before it.
            if case .greeting = links[index].phase { throw .unexpected(raw.type) }
            return links[index].charge(Work.frame)
        }
        try links.count(frame, on: index, among: conversations.count)
        switch (links[index].phase, frame) {
        case (_, .goodbye(let goodbye)): heardGoodbye(goodbye, on: index)
        case (.greeting, .hello(let hello)): try helloReceived(hello, on: index)
        case (.greeting, _), (_, .hello): throw .unexpected(raw.type)
        case (_, .conversations(let tags)): try tagsReceived(tags, on: index)
        case (_, .ping(let nonce)): links[index].answerPing(nonce)
        case (.proving, .pairing(let frame)), (.member, .pairing(let frame)):
            try links.pairingReceived(frame, on: index, using: crypto, into: &step)
        case (.proving, .knock(let frame)), (.member, .knock(let frame)):
            members.knockReceived(frame, on: index, &links, &step, crypto)
        case (.proving, .members(let frame)),
            (.member, .members(let frame)) where frame.conversation == MembersFrame.noNumber:
            try KeyChanges.recordsReceived(frame.records, on: index, &self)
        case (_, .pong): links.all.pongReceived(on: index, into: &step, random: &random)
        case (.member, .credit(let credit)): try links[index].granted(credit)
        case (.member, .blobChunk(let chunk)): try blobChunkReceived(chunk, on: index)
        case (.member, .spare(let isSpare)): links[index].spareReceived(isSpare, into: &step)
        case (.member, _): try takeShared(frame, on: index)
        case (.proving, _) where links[index].membership.mayBeBehind:
            links[index].charge(Work.frame)
        case (.proving, _), (.closing, _): throw .unexpected(raw.type)
        }
    }

    /// Handles a frame about a shared conversation.
    private mutating func takeShared(_ frame: Frame, on index: Int) throws(Refusal) {
        guard let number = frame.conversation,
            let (replication, conversation) =
                try links.all.shared(number, frame.type, on: index, conversations)
        else { return }
        switch frame {
        case .origin(let frame):
            try links.all.originReceived(
                frame.record,
                of: conversation,
                on: index,
                in: &conversations,
                using: crypto
            )
        case .feed(let request):
            try links[replication]
                .feedRequested(request, of: conversations[conversation], at: step.now)
            author
                .began(replication, of: &conversations[conversation], links, commits, blobs, &step)
            KeyChanges.askForUncounted(of: conversation, on: index, &self)
        case .stored(let stored):
            if try links[index].storedReceived(stored, on: replication.replication, into: &step) {
                author.audienceGrew(replication, of: &conversations[conversation], links, &step)
            }
        case .have(let list):
            try links.all.haveReceived(
                list,
                from: replication,
                in: &conversations[conversation],
                at: step.now
            )
        case .want(let list):
            try links[replication].wantReceived(list, of: conversations[conversation])
        case .blobWant(let want):
            let isListed = conversations[conversation].lists(want.blob)
            let (id, number) = (links[index].id, links[replication].ownNumber)
            let answer = blobs.wanted(want, by: id, conversation: number, isListed: isListed)
            try links[index].answer(answer)
        case .audit(let audit):
            guard !commits.isBlocked else { break }
            try links.auditReceived(
                audit,
                from: replication,
                of: conversations[conversation],
                into: &step
            )
        case .peers(let peers):
            links[index].told(of: peers.peers)
            dialer.told(of: peers.peers, by: links[index].remote, besides: device, at: step.now)
        case .signal(let frame): try received(frame, in: conversation, on: index)
        case .receipts(let frame):
            let link = ReceiptLink(link: links[index].id, device: links[index].device)
            author.received(frame, in: &conversations[conversation], link, members, &step, crypto)
        case .members(let frame):
            try KeyChanges.membersReceived(frame, of: conversation, on: index, &self)
        case .hello, .goodbye, .conversations, .envelope, .blobChunk, .credit, .ping, .pong,
            .pairing, .spare, .knock:
            break
        }
    }
}
