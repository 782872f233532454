/// Counts the amounts kept of the conversation and of each device, and applies the quotas.
extension Conversation {
    /// The limit that the head of an arrival would exceed; nil if the head may be taken.
    ///
    /// An envelope of a stored origin is always taken if it adds no head, and its session stays
    /// within `Limits.sessionBytes` or no larger than before. Sessions thus go on, whoever fills
    /// the rest. Any other envelope is left out while the share of the device, the conversation,
    /// all open conversations or all conversations is used up. The envelope is delayed and not
    /// refused: its position is held, and it comes again once there is capacity.
    package func shortage(
        for arrival: Arrival,
        in session: Int32?,
        beside totals: KeptTotals
    ) -> Shortage? {
        let origin = arrival.head.dot.origin
        let size = arrival.size + BlobReference.bytes(of: arrival.header.blobs)
        let device = origins.device(of: origin) ?? device
        var writer = origins.writer(of: origin)
        var growth = KeptAmount(heads: 1, bytes: size)
        if writer == OriginState.noWriter {
            growth.origins = 1
            writer = amounts.number(of: device)
        }
        let shortage = amounts.shortage(by: growth, of: writer, device, beside: totals)
        guard let shortage else { return nil }
        guard let session else { return shortage }
        // Read in place: a copy of a session costs more than the rest.
        guard let real = sessions[Int(session)].growth(by: arrival.head, bytes: size) else {
            return nil
        }
        growth.heads = real.heads
        growth.bytes = real.bytes
        return amounts.shortage(by: growth, of: writer, device, beside: totals)
    }

    // MARK: Counting

    /// Marks an origin as stored, because an envelope of it is kept.
    ///
    /// - Returns: the number of the device among the writers, and whether the mark is new.
    mutating func storeOrigin(_ id: OriginID) -> (writer: Int32, isFirst: Bool) {
        // The origin of a checked envelope is known; an origin with a damaged record counts for
        // nobody.
        guard let device = origins.device(of: id) else { return (OriginState.noWriter, false) }
        let known = origins.writer(of: id)
        guard known == OriginState.noWriter else { return (known, false) }
        let writer = amounts.writer(device)
        origins[id]?.writer = writer
        amounts.add(KeptAmount(origins: 1), of: writer)
        return (writer, true)
    }

    /// The amount kept of all devices together.
    package var kept: KeptAmount { amounts.all }

    /// The amount kept of a device in this conversation, under all its origins.
    package func kept(of device: DeviceID) -> KeptAmount {
        amounts.amount(of: amounts.number(of: device))
    }

    /// The greatest used part of the conversation's quota; 1 is all of it.
    package var quotaUse: Double { quota.conversation.use(by: kept) }

    package var quota: Quota { amounts.quota }
    /// Why envelopes are being left out; nil while there is capacity.
    package var shortage: Shortage? { amounts.shortage }
    package var leftOut: Set<ParticipantID> { amounts.leftOut }
}

extension SessionState {
    /// The growth of the session by another head; nil if the head would not stay.
    fileprivate func growth(by head: Head, bytes: Int) -> KeptAmount? {
        var register = register
        guard register.merge(head).change?.isKept ?? false else { return nil }
        var before = KeptAmount()
        var after = KeptAmount(heads: 1, bytes: bytes)
        for record in heads {
            before += record.kept
            let stays = register.heads.contains { $0.dot == record.dot }
            if stays, record.dot != head.dot { after += record.kept }
        }
        let isSmall = after.bytes <= max(before.bytes, Limits.sessionBytes)
        return KeptAmount(
            heads: after.heads - before.heads,
            bytes: isSmall ? 0 : after.bytes - before.bytes
        )
    }
}
