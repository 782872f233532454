package import ParleyCore
package import ParleyTransport

/// The figures of a node at a moment, without names, for programs that watch it.
package struct NodeMeasurements: Sendable {
    package let version: String
    /// Links to members.
    package let links: Int
    package let conversations: Int
    package let sessions: Int
    /// The amounts that are kept of all conversations together.
    package let kept: KeptAmount
    /// The greatest part that is used of the quotas of single conversations, of open ones together,
    /// and of all together, from 0 to 1 or more.
    package let quotaUse: (single: Double, open: Double, all: Double)
    /// The troubles that keep the node from its work at present.
    package let troubles: [NodeTrouble]
    package let figures: NodeFigures
    package let load: NodeLoad
    package let counts: NodeCounts
    package let refusals: [String: UInt64]
    package let commits: DurationHistogram
    package let syncs: DurationHistogram
    package let transport: TransportCounters
    /// Devices that others announce.
    package let discovered: Int
    /// The length of the database and its log in bytes.
    package let storeBytes: Int
    /// The bytes that are free for the node on the file system of its data.
    package let freeBytes: Int
    /// With fewer free bytes nothing is stored.
    package let freeBytesMin: Int
}

/// Something that keeps a node from its work; the raw value is its name for programs.
package enum NodeTrouble: String, CaseIterable, Sendable {
    case notListening, storeFull, storeFails, conversationFull, quotaFull, notAnnounced

    /// The trouble in words.
    package var words: String {
        switch self {
        case .notListening: "the node does not listen"
        case .storeFull: "too little space is left on the disk"
        case .storeFails: "nothing can be stored"
        case .conversationFull: "a conversation is full"
        case .quotaFull: "quotas.all-conversations is used up"
        case .notAnnounced: "the node is not announced"
        }
    }
}
