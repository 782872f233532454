/// From bytes to frames, and who takes each.
extension NodeMachine {
    /// Bytes came: every whole frame among them is taken, in order.
    mutating func received(_ bytes: Slice, on link: LinkID) {
        guard let index = links.index(of: link) else { return }
        if links[index].liveness.isSuspect { answersAgain(index) }
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
        if raw.type == FrameType.envelope.rawValue, links[index].isMember {
            // What comes most often goes straight on.
            return try takeEnvelope(raw.body, on: index)
        }
        let decoded: Frame?
        do throws(CodecError) {
            decoded = try Frame(decoding: raw)
        } catch {
            throw .malformed(error)
        }
        guard let frame = decoded else { return }
        switch (links[index].phase, frame) {
        case (_, .goodbye(let goodbye)): heardGoodbye(goodbye, on: index)
        case (.greeting, .hello(let hello)): try helloReceived(hello, on: index)
        case (.greeting, _), (_, .hello): throw .unexpected(raw.type)
        case (_, .conversations(let tags)): try tagsReceived(tags, on: index)
        case (_, .ping(let nonce)): links[index].outbox.append(.pong(nonce))
        case (_, .pong): links.pongReceived(on: index, into: &step, random: &random)
        case (.member, _): try takeFromMember(frame, on: index)
        case (.proving, _), (.closing, _): throw .unexpected(raw.type)
        }
    }

    private mutating func takeEnvelope(_ body: Slice, on index: Int) throws(Refusal) {
        let frame: EnvelopeFrame
        do throws(CodecError) {
            frame = try EnvelopeFrame(decoding: body)
        } catch {
            throw .malformed(error)
        }
        try envelopeReceived(frame, on: index)
    }

    private mutating func takeFromMember(_ frame: Frame, on index: Int) throws(Refusal) {
        switch frame {
        case .envelope(let frame): try envelopeReceived(frame, on: index)
        case .origin(let frame): try originReceived(frame, on: index)
        case .feed(let request): try feedRequested(request, on: index)
        case .stored(let stored): try storedReceived(stored, on: index)
        case .have(let list): try haveReceived(list, on: index)
        case .want(let list): try wantReceived(list, on: index)
        case .credit(let credit): links[index].outbox.credit.granted(credit)
        case .blobWant(let want): try blobWanted(want, on: index)
        case .blobChunk(let chunk): try blobChunkReceived(chunk, on: index)
        case .audit(let audit): try auditReceived(audit, on: index)
        case .peers(let peers): try peersReceived(peers, on: index)
        case .pairing: break
        case .hello, .goodbye, .conversations, .ping, .pong: break
        }
    }

    /// The replication that the peer means by its number, and the index of its conversation; nil if
    /// this node has left the conversation or never matched the tag.
    func shared(
        _ peerNumber: UInt32,
        on index: Int
    ) throws(Refusal) -> (replication: Int, conversation: Int)? {
        guard let replication = try links[index].replication(ofPeerNumber: peerNumber),
            let conversation = conversationIndex(
                links[index].replications[replication].conversation
            )
        else { return nil }
        return (replication, conversation)
    }

    /// The index of the conversation with this number.
    func conversationIndex(_ number: UInt32) -> Int? {
        conversations.firstIndex { $0.number == number }
    }

    /// Feed positions beyond all that a node can count are made up.
    func expectPosition(_ position: UInt64) throws(Refusal) {
        guard position < FeedCursor.positionEnd else {
            throw .overLimit("a feed position that nobody reaches")
        }
    }
}
