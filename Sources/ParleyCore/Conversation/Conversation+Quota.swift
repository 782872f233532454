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
        let size =
            arrival.size + BlobReference.bytes(of: arrival.header.blobs)
        var growth = KeptAmount(heads: 1, bytes: size)
        var writer = OriginState.noWriter
        var device = self.device
        if let author = origins.device(of: origin) {
            writer = origins.writer(of: origin)
            device = author
        }
        if writer == OriginState.noWriter {
            growth.origins = 1
            writer = amounts.number(of: device)
        }
        let (kept, ofDevice) = (amounts.all, amounts.amount(of: writer))
        func exceeded(by growth: KeptAmount) -> Shortage? {
            let isWithin = quota.conversation.admits(growth, beside: kept)
            let isDeviceWithin = quota.device.admits(growth, beside: ofDevice)
            let isOpenWithin =
                !record.isOpen || limits.openConversations.admits(growth, beside: totals.open)
            if isWithin, isDeviceWithin, isOpenWithin {
                let isAllWithin = limits.allConversations.admits(growth, beside: totals.all)
                return isAllWithin ? nil : .allConversations
            }
            if growth.origins > 0 {
                return exceeded(by: KeptAmount(heads: growth.heads, bytes: growth.bytes))
                    ?? .origins
            }
            if !isWithin { return .conversation }
            return isDeviceWithin ? .openConversations : .device(device)
        }
        guard let shortage = exceeded(by: growth) else { return nil }
        guard let session else { return shortage }
        guard let real = self.growth(by: arrival.head, bytes: size, of: Int(session)) else {
            return nil
        }
        growth.heads = real.heads
        growth.bytes = real.bytes
        return exceeded(by: growth)
    }

    /// The growth of a session by another head; nil if the head would not stay.
    private func growth(by head: Head, bytes: Int, of session: Int) -> KeptAmount? {
        var register = sessions[session].register
        guard register.merge(head).change?.isKept ?? false else { return nil }
        var before = KeptAmount()
        var after = KeptAmount(heads: 1, bytes: bytes)
        for record in sessions[session].heads {
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

    /// The limit behind a shortage.
    func limit(of shortage: Shortage) -> KeptAmount {
        switch shortage {
        case .conversation, .origins: quota.conversation
        case .device: quota.device
        case .openConversations: limits.openConversations
        case .allConversations: limits.allConversations
        }
    }

    // MARK: Capacity again

    /// Notes that an envelope was left out.
    ///
    /// - Returns: whether to report the shortage, as the first since there was capacity.
    mutating func leftOut(for shortage: Shortage) -> Bool {
        let isFirst = self.shortage == nil
        if isFirst || self.shortage == .origins { self.shortage = shortage }
        return isFirst
    }

    /// Whether there is capacity again, after an envelope was left out.
    mutating func takeResumption(beside totals: KeptTotals) -> Bool {
        guard let shortage else { return false }
        let isFree =
            switch shortage {
            case .device(let device): quota.device.isFreeAgain(beside: kept(of: device))
            case .conversation, .openConversations: true
            // Origins are free again after a conversation was left.
            case .allConversations:
                limits.allConversations.admits(KeptAmount(origins: 1), beside: totals.all)
            case .origins: false
            }
        guard isFree, quota.conversation.isFreeAgain(beside: kept),
            !record.isOpen || limits.openConversations.isFreeAgain(beside: totals.open),
            limits.allConversations.isFreeAgain(beside: totals.all)
        else { return false }
        self.shortage = nil
        return true
    }
}
