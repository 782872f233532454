/// Counts what is kept of the conversation and of each device there, and says what may be added.
extension Conversation {
    /// The limit that the head of an arrival would exceed; nil if it may be taken.
    ///
    /// An envelope that adds no head, and leaves its session within `Limits.sessionBytes` or no
    /// larger than before, is always taken: sessions that are here go on, whoever fills the rest.
    /// All else is left out when the device, the conversation, all open conversations or all of
    /// them together have their share. It is delayed and not refused: the position is held, and
    /// the envelope comes again once there is capacity.
    package func shortage(
        for arrival: Arrival,
        in session: Int32?,
        beside totals: KeptTotals
    ) -> Shortage? {
        let origin = arrival.head.dot.origin
        let size =
            arrival.envelope.bytes.count + BlobReference.bytes(of: arrival.envelope.header.blobs)
        var growth = KeptAmount(heads: 1, bytes: size)
        var writer = OriginState.noWriter
        var device = self.device
        if let state = origins.index(forKey: origin) {
            writer = origins.values[state].writer
            device = origins.values[state].device
        }
        if writer == OriginState.noWriter {
            growth.origins = 1
            writer = writerNumbers[device] ?? OriginState.noWriter
        }
        let ofDevice = writer == OriginState.noWriter ? KeptAmount() : writers[Int(writer)]
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

    /// The growth of a session's part of a quota by another head; nil if that head would not stay.
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

    /// Marks an origin as stored: an envelope of it is being kept.
    ///
    /// - Returns: the number of its device among the writers, and whether it was not marked before.
    mutating func storeOrigin(_ id: OriginID) -> (writer: Int32, isFirst: Bool) {
        // The origin of a checked envelope is known; one whose record was damaged counts for
        // nobody.
        guard let index = origins.index(forKey: id) else { return (OriginState.noWriter, false) }
        let known = origins.values[index].writer
        guard known == OriginState.noWriter else { return (known, false) }
        let device = origins.values[index].device
        let writer = writerNumbers[device] ?? Int32(writers.count)
        if writer == writers.count {
            writers.append(KeptAmount())
            writerNumbers[device] = writer
        }
        origins.values[index].writer = writer
        count(KeptAmount(origins: 1), of: writer, isAdded: true)
        return (writer, true)
    }

    /// Counts what is kept of a writer, or is not kept any more.
    mutating func count(_ amount: KeptAmount, of writer: Int32, isAdded: Bool) {
        if isAdded { kept += amount } else { kept -= amount }
        guard writer != OriginState.noWriter else { return }
        if isAdded { writers[Int(writer)] += amount } else { writers[Int(writer)] -= amount }
    }

    /// The amount kept of a device here, under all its origins.
    package func kept(of device: DeviceID) -> KeptAmount {
        writerNumbers[device].map { writers[Int($0)] } ?? KeptAmount()
    }

    /// The part of the conversation's quota that is used; 1 is all of it.
    package var quotaUse: Double { quota.conversation.use(by: kept) }

    /// Updates the totals of all conversations with the amount that is kept now of this one.
    mutating func count(in totals: inout KeptTotals) {
        totals.changed(counted, to: kept, isOpen: record.isOpen)
        counted = kept
    }

    /// The limit that is meant by a shortage.
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
    /// - Returns: whether that is to be told: none was before, since there was capacity last.
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
            // Origins are free again when a conversation was left.
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
