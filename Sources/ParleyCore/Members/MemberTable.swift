/// The records of a node on how devices came into its conversations.
package struct MemberTable: Sendable {
    package internal(set) var invites = InviteTable()
    package internal(set) var requests = KnockRequests()
    /// By the number of the conversation.
    private var admissions: [UInt32: AdmissionTable] = [:]
    /// The devices that proved a role on a link, by the number of the conversation.
    package internal(set) var known: [UInt32: [DeviceID: KnownDevice]] = [:]
    package internal(set) var cards = CardTables()
    /// The removals by this node, by generation.
    var removals: [UInt32: [GenerationID: [DeviceID]]] = [:]

    /// The records of recovered conversations.
    init(recovered conversations: [RecoveredConversation], using crypto: some Cryptography) {
        for conversation in conversations {
            let number = conversation.record.number
            for (name, record) in conversation.members {
                switch name {
                case .admission:
                    guard let admission = Admission(packed: record) else { continue }
                    _ = self[number].add(admission, using: crypto)
                case .invite:
                    guard let invite = try? EndingInvite(stored: record) else { continue }
                    invites.recover(invite, of: number)
                case .device(let device):
                    known[number, default: [:]][device] = KnownDevice(of: device, packed: record)
                case .removal(let id):
                    let devices = stride(from: 0, to: record.count, by: DeviceID.count)
                    removals[number, default: [:]][id] = devices.map {
                        DeviceID(reading: record, at: $0)
                    }
                case .birth, .generation, .secret, .vouch: continue
                case .cardNumber: cards[number].recover(record)
                case .receipts, .receiptCounter: break
                }
            }
        }
    }

    /// The admissions of a conversation.
    package internal(set) subscript(conversation: UInt32) -> AdmissionTable {
        _read { yield admissions[conversation, default: AdmissionTable()] }
        _modify { yield &admissions[conversation, default: AdmissionTable()] }
    }

    /// The conversation was left.
    mutating func left(_ conversation: UInt32) {
        admissions[conversation] = nil
        known[conversation] = nil
        cards.left(conversation)
        removals[conversation] = nil
        invites.left(conversation)
    }

    mutating func linkClosed(_ link: LinkID) {
        requests.linkClosed(link)
        for number in admissions.keys { admissions[number]?.linkClosed(link) }
        cards.linkClosed(link)
    }

    var deadline: Moment? {
        var next = Earliest()
        next.add(invites.deadline)
        next.add(requests.deadline)
        next.add(cards.deadline)
        return next.moment
    }
}
