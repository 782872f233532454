/// Sends signals, and passes on those of others.
extension NodeMachine {
    /// Seals and signs a signal of this device or a guest, and sends it.
    ///
    /// A signal beyond the limit is dropped, as is one that this node may not write.
    mutating func signal(_ request: SignalRequest) {
        guard let index = conversations.index(of: request.conversation),
            let seat = Seat(of: request.guest, in: conversations[index]),
            conversations[index].record.certificate != nil,
            conversations[index].ownSequences.available > 0, signals.admits(device, at: step.now),
            let key = conversations[index].keys.signalKey(of: seat.origin, using: crypto)
        else { return }
        // Numbers of messages: reserved on disk, so that no number returns after a crash.
        let sequence = conversations[index].ownSequences.take()
        let dot = Dot(origin: seat.origin, sequence: sequence)
        let prefix = SignalFrame.prefix(of: dot, in: conversations[index].record.id)
        let sealed = crypto.seal(
            request.signal.encoded().span.bytes,
            key: key,
            nonce: SealNonce(using: &random),
            authenticating: prefix.span.bytes
        )
        let frame = SignalFrame(
            conversation: request.conversation,
            dot: dot,
            sealed: Slice(sealed),
            signature: crypto.sign((prefix + sealed).span.bytes, as: seat.guest?.seed)
        )
        signals.count(dot, of: device, at: step.now)
        pass(frame, in: index, besides: nil)
        deliver(request.signal, dot, of: seat.author, in: index)
        conversations.reserveSequences(of: index, tickets: &commits, into: &step)
    }

    /// A member sends a signal: passes it on where its origin's envelopes are pushed.
    ///
    /// Signals of unknown origins are ignored, and those beyond the limit of a device, and repeated
    /// ones. Those of blocked devices are only passed on.
    mutating func received(
        _ frame: SignalFrame,
        in index: Int,
        on link: Int
    ) throws(Refusal) {
        guard let origin = conversations[index].origins[frame.origin],
            !conversations[index].isOwn(frame.origin), signals.isNew(frame.dot),
            signals.admits(origin.device, at: step.now)
        else { return }
        links[link].charge(Work.signature)
        let id = conversations[index].record.id
        let signed = frame.signedBytes(in: id)
        let key = origin.record.deviceKey
        guard crypto.verify(frame.signature, of: signed.span.bytes, by: key) else {
            throw .badProof
        }
        signals.count(frame.dot, of: origin.device, at: step.now)
        if Int(frame.hops) < Limits.hops {
            var next = frame
            next.hops += 1
            pass(next, in: index, besides: links[link].id)
        }
        guard !links.gate.blocked.contains(origin.device),
            let key = conversations[index].keys.signalKey(of: frame.origin, using: crypto),
            let content = frame.sealed.withBytes({
                let prefix = SignalFrame.prefix(of: frame.dot, in: id)
                return crypto.open($0, key: key, authenticating: prefix.span.bytes)
            }),
            let signal = try? Signal(decoding: Slice(content))
        else { return }
        deliver(signal, frame.dot, of: origin.author, in: index)
    }

    private mutating func pass(_ frame: SignalFrame, in index: Int, besides source: LinkID?) {
        for link in links.indices where links[link].id != source {
            links[link].pass(frame, of: conversations[index])
        }
    }

    private mutating func deliver(
        _ signal: Signal,
        _ dot: Dot,
        of author: AuthorView,
        in index: Int
    ) {
        let number = conversations[index].number
        let notice = SignalNotice(conversation: number, author: author, dot: dot, signal: signal)
        step.deliver(.signal(notice))
    }
}
