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
        case .members(let members): Work.frame + members.admissions.count * Work.signature
        case .receipts(let frame): Work.frame + frame.receipts.count * Work.receipt
        case .knock: Work.signature
        case .peers(let peers): Work.frame + peers.peers.count * Work.address
        default: Work.frame
        }
    }
}
