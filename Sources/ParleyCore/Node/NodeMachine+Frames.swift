extension NodeMachine {
    /// Bytes came: every whole frame among them is taken, in order.
    mutating func received(_ bytes: Slice, on link: LinkID) {
        guard let index = linkIndex(link) else { return }
        if links[index].liveness.isSuspect { answersAgain(index) }
        links[index].liveness.heard(at: turn.now)
        links[index].frames.append(bytes)
        do throws(Refusal) {
            while links[index].phase != .closing, let frame = try nextFrame(on: index) {
                try take(frame, on: index)
            }
        } catch {
            refuse(error, on: index)
        }
    }

    private mutating func nextFrame(on index: Int) throws(Refusal) -> RawFrame? {
        do throws(CodecError) {
            return try links[index].frames.next(frameBytesMax: links[index].frameBytesMax)
        } catch {
            throw .malformed(error)
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
        case (_, .pong): pongReceived(on: index)
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
        case .credit(let credit): links[index].sendCredit.granted(credit)
        case .blobWant(let want): try blobWanted(want, on: index)
        case .blobChunk(let chunk): try blobChunkReceived(chunk, on: index)
        case .audit(let audit): try auditReceived(audit, on: index)
        case .peers(let peers): try peersReceived(peers, on: index)
        case .pairing: break
        case .hello, .goodbye, .conversations, .ping, .pong: break
        }
    }

    /// Says goodbye to a peer that broke the protocol, and tells why.
    mutating func refuse(_ refusal: Refusal, on index: Int) {
        let link = links[index]
        turn.effects.deliveries.append(
            .refused(
                link: link.id,
                device: link.device,
                address: link.address,
                refusal
            )
        )
        close(index, saying: refusal.goodbye, text: refusal.sentence)
    }

    /// The place of the share that the peer means by its number, or nil if this node has left the
    /// conversation or never matched the tag.
    func shareIndex(ofPeerNumber number: UInt32, on index: Int) throws(Refusal) -> Int? {
        guard Int(number) < links[index].membership.peerTags.count else {
            throw .overLimit("a conversation number that was never announced")
        }
        return links[index].shares.firstIndex { $0.peerNumber == number }
    }

    /// The place of a live link.
    func linkIndex(_ link: LinkID) -> Int? {
        var low = 0
        var high = links.count
        while low < high {
            let middle = low + (high - low) / 2
            if links[middle].id < link { low = middle + 1 } else { high = middle }
        }
        guard low < links.count, links[low].id == link, links[low].phase != .closing else {
            return nil
        }
        return low
    }

    /// The place of the conversation with this number here.
    func conversationIndex(_ number: UInt32) -> Int? {
        conversations.firstIndex { $0.number == number }
    }
}

extension Refusal {
    var goodbye: GoodbyeReason {
        switch self {
        case .malformed, .unexpected: .malformed
        case .uncertified, .badCertificate, .badProof, .badBlob: .forged
        case .overLimit: .overLimit
        case .incompatible: .incompatible
        }
    }

    /// For the peer's log and ours.
    package var sentence: String {
        switch self {
        case .malformed(let error): "bytes that are not of this protocol: \(error)"
        case .unexpected(let type): "a frame of type \(type) that may not come now"
        case .uncertified: "an envelope by an origin without a certificate"
        case .badCertificate: "a certificate that the conversation's write key did not sign"
        case .badProof: "a proof that does not belong to its envelope"
        case .badBlob: "a blob whose hash is not its name"
        case .overLimit(let what): "over a limit: \(what)"
        case .incompatible(let versions):
            "speaks wire versions \(versions.lowerBound) to \(versions.upperBound), "
                + "needed is \(NodeConfiguration.spoken.upperBound)"
        }
    }
}
