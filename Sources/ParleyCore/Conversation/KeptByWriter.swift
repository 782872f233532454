/// The amounts kept of a conversation, of all devices and of each with a stored origin, and the
/// quotas that they have.
///
/// A device with a stored origin is a writer, and has a number.
struct KeptByWriter: Sendable {
    let quota: Quota
    private let isOpen: Bool
    private let openConversations: KeptAmount
    private let allConversations: KeptAmount
    /// Why envelopes are being left out; nil while there is capacity.
    private(set) var shortage: Shortage?
    /// The authors of envelopes that were left out since there was capacity.
    private(set) var leftOut: Set<ParticipantID> = []
    private(set) var all = KeptAmount()
    private var writers: [KeptAmount] = []
    private var numbers: [DeviceID: Int32] = [:]
    /// The part of `all` that the totals of all conversations include.
    private var counted = KeptAmount()

    init(limits: Limits, isOpen: Bool) {
        quota = isOpen ? limits.openQuota : limits.quota
        self.isOpen = isOpen
        openConversations = limits.openConversations
        allConversations = limits.allConversations
    }

    /// The number of a device; `noWriter` without a stored origin.
    func number(of device: DeviceID) -> Int32 { numbers[device] ?? OriginState.noWriter }

    /// The number of a device that is a writer from now on.
    mutating func writer(_ device: DeviceID) -> Int32 {
        if let known = numbers[device] { return known }
        let number = Int32(writers.count)
        writers.append(KeptAmount())
        numbers[device] = number
        return number
    }

    /// The amount kept of a writer; nothing of `noWriter`.
    func amount(of writer: Int32) -> KeptAmount {
        writer == OriginState.noWriter ? KeptAmount() : writers[Int(writer)]
    }

    /// Adds an amount of a writer.
    mutating func add(_ amount: KeptAmount, of writer: Int32) {
        all += amount
        if writer != OriginState.noWriter { writers[Int(writer)] += amount }
    }

    /// Subtracts an amount of a writer.
    mutating func subtract(_ amount: KeptAmount, of writer: Int32) {
        all -= amount
        if writer != OriginState.noWriter { writers[Int(writer)] -= amount }
    }

    /// Updates the totals of all conversations with the present amount.
    mutating func count(in totals: inout KeptTotals) {
        totals.changed(counted, to: all, isOpen: isOpen)
        counted = all
    }

    // MARK: Quotas

    /// The limit that a growth of what a device has written would exceed.
    ///
    /// `writer` is the number of the device.
    func shortage(
        by growth: KeptAmount,
        of writer: Int32,
        _ device: DeviceID,
        beside totals: KeptTotals
    ) -> Shortage? {
        let isWithin = quota.conversation.admits(growth, beside: all)
        let isDeviceWithin = quota.device.admits(growth, beside: amount(of: writer))
        let isOpenWithin = !isOpen || openConversations.admits(growth, beside: totals.open)
        if isWithin, isDeviceWithin, isOpenWithin {
            return allConversations.admits(growth, beside: totals.all) ? nil : .allConversations
        }
        if growth.origins > 0 {
            let rest = KeptAmount(heads: growth.heads, bytes: growth.bytes)
            return shortage(by: rest, of: writer, device, beside: totals) ?? .origins
        }
        if !isWithin { return .conversation }
        return isDeviceWithin ? .openConversations : .device(device)
    }

    /// The limit behind a shortage.
    func limit(of shortage: Shortage) -> KeptAmount {
        switch shortage {
        case .conversation, .origins: quota.conversation
        case .device: quota.device
        case .openConversations: openConversations
        case .allConversations: allConversations
        }
    }

    /// Notes that an envelope of an author was left out; the first since there was capacity is
    /// reported.
    mutating func leaveOut(
        _ author: AuthorView?,
        for shortage: Shortage,
        in report: inout MergeReport
    ) {
        if let author, leftOut.count < Limits.participantsLeftOut {
            report.isAuthorNewlyLeftOut = leftOut.insert(author.participant).inserted
        }
        if self.shortage == nil { report.shortage = shortage }
        if self.shortage == nil || self.shortage == .origins { self.shortage = shortage }
    }

    /// Whether there is capacity again, after an envelope was left out.
    mutating func takeResumption(beside totals: KeptTotals) -> Bool {
        guard let shortage else { return false }
        let isFree =
            switch shortage {
            case .device(let device):
                quota.device.isFreeAgain(beside: amount(of: number(of: device)))
            case .conversation, .openConversations: true
            // Origins are free again after a conversation was left.
            case .allConversations:
                allConversations.admits(KeptAmount(origins: 1), beside: totals.all)
            case .origins: false
            }
        guard isFree, quota.conversation.isFreeAgain(beside: all),
            !isOpen || openConversations.isFreeAgain(beside: totals.open),
            allConversations.isFreeAgain(beside: totals.all)
        else { return false }
        self.shortage = nil
        leftOut = []
        return true
    }
}
