/// A signal as it goes on to the members.
struct PassedSignal: Sendable {
    let frame: SignalFrame
    /// Nil if this node cannot read the signal, or does not know its kind.
    let notice: SignalNotice?
}

/// Signals of this device and its guests, and those of others.
extension SignalTable {
    /// Seals and signs a signal of this device or a guest.
    ///
    /// - Returns: nil beyond the limit, and without the right to write.
    mutating func signal(
        _ request: SignalRequest,
        by device: DeviceID,
        in conversation: inout Conversation,
        at now: Moment,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) -> PassedSignal? {
        guard let seat = Seat(of: request.guest, in: conversation),
            conversation.record.certificate != nil, conversation.ownSequences.available > 0,
            admits(device, at: now),
            let key = conversation.keys.signalKey(of: seat.origin, using: crypto)
        else { return nil }
        // A number of messages: reserved on disk, so that no number returns after a crash.
        let dot = Dot(origin: seat.origin, sequence: conversation.ownSequences.take())
        let prefix = SignalFrame.prefix(of: dot, in: conversation.record.id)
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
        count(dot, of: device, at: now)
        return PassedSignal(
            frame: frame,
            notice: SignalNotice(
                conversation: request.conversation,
                author: seat.author.participant,
                device: device,
                dot: dot,
                signal: request.signal
            )
        )
    }

    /// Checks a signal of a member, which has crossed one more link.
    ///
    /// - Returns: nil for an unknown origin or an own one, beyond the limit of a device, and for a
    ///   signal that is not the latest.
    mutating func heard(
        _ frame: SignalFrame,
        in conversation: Conversation,
        at now: Moment,
        using crypto: some Cryptography
    ) throws(Refusal) -> PassedSignal? {
        guard let origin = conversation.origins[frame.origin], !conversation.isOwn(frame.origin),
            isNew(frame.dot), admits(origin.device, at: now)
        else { return nil }
        let signed = frame.signedBytes(in: conversation.record.id)
        let key = origin.record.deviceKey
        guard crypto.verify(frame.signature, of: signed.span.bytes, by: key) else {
            throw .badProof
        }
        count(frame.dot, of: origin.device, at: now)
        var next = frame
        if next.hops < UInt8.max { next.hops += 1 }
        let signal = open(frame, in: conversation, using: crypto)
        return PassedSignal(
            frame: next,
            notice: signal.map { signal in
                SignalNotice(
                    conversation: conversation.number,
                    author: origin.author.participant,
                    device: origin.device,
                    dot: frame.dot,
                    signal: signal
                )
            }
        )
    }

    /// The content of a signal; nil without the read key, or if it does not open.
    private func open(
        _ frame: SignalFrame,
        in conversation: Conversation,
        using crypto: some Cryptography
    ) -> Signal? {
        guard let key = conversation.keys.signalKey(of: frame.origin, using: crypto) else {
            return nil
        }
        let prefix = SignalFrame.prefix(of: frame.dot, in: conversation.record.id)
        let content = frame.sealed.withBytes {
            crypto.open($0, key: key, authenticating: prefix.span.bytes)
        }
        return content.flatMap { try? Signal(decoding: Slice($0)) }
    }
}
