extension Frame {
    /// The work of handling the frame, in a node with so many conversations.
    func work(among conversations: Int) -> Int {
        switch self {
        case .conversations: Work.frame + conversations
        case .origin(let origin): Work.signature * (origin.record.host == nil ? 1 : 2)
        case .have(let list): Work.frame + list.entries.count
        case .want(let list): Work.frame + list.entries.count
        case .blobWant(let want): Work.frame + want.chunks.count
        case .blobChunk: Work.chunk
        case .audit: Work.signature
        case .members(let members): members.records.reduce(Work.frame) { $0 + $1.work }
        case .receipts(let frame): Work.frame + frame.receipts.count * Work.receipt
        case .knock: Work.signature
        case .peers(let peers): Work.frame + peers.peers.count * Work.address
        default: Work.frame
        }
    }
}

extension MemberEntry {
    /// The work of checking the signatures of a record.
    fileprivate var work: Int {
        switch self {
        case .birth: Work.frame
        case .generation(let record, _): (2 + record.statement.path.count) * Work.signature
        case .admission: Work.signature
        case .vouch, .card: 2 * Work.signature
        }
    }
}
