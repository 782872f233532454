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
