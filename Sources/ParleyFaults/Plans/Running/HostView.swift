/// An observation of one host at one moment, in the simulator or in the lab.
package struct HostView: Sendable, Equatable {
    package var host: HostID
    package var isRunning = false
    /// The sessions of the observed conversation.
    package var sessions: [SessionSight] = []
    /// The members of a conversation to which a live link exists.
    package var links: [HostID] = []
    /// All members that the node lists, linked or not.
    package var peers: [HostID] = []
    /// The envelopes that arrived since the start of the node.
    package var received = ReceivedCount.total(0)
    /// The number of closed links to each host since the first start of the node.
    package var closures: [HostID: Int] = [:]
    /// The other hosts whose devices the data directory names.
    package var remembered: [HostID] = []
    /// The number of links that ended because the two sides share no conversation.
    package var turnedAway = 0
    /// The number of links of intruders that the host ended.
    package var intrudersEnded = 0
    /// Whether the host reported a duplicate identity.
    package var saidDuplicate = false

    package init(_ host: HostID) { self.host = host }
}

/// A session as a host shows it.
package struct SessionSight: Sendable, Equatable {
    package enum Picture: Sendable, Equatable {
        case none, missing, whole, wrong
    }

    package var session: String
    package var id: String
    package var revision: UInt64
    package var url: String
    /// The heads of a conflict other than the shown one, in a fixed order.
    package var others: [String]
    package var picture: Picture

    package init(
        session: String,
        id: String,
        revision: UInt64,
        url: String,
        others: [String] = [],
        picture: Picture = .none
    ) {
        self.session = session
        self.id = id
        self.revision = revision
        self.url = url
        self.others = others
        self.picture = picture
    }
}

/// Counts of the envelopes that arrived at a node.
package enum ReceivedCount: Sendable, Equatable {
    case total(Int)
    /// The counts of each session, by its name.
    case each([String: Int])
}

/// The observations needed to judge an expectation.
package struct PlanQuestion: Sendable, Equatable {
    /// The parts of a `HostView` that are needed; the others may be left out.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let sessions = Parts(rawValue: 1)
        package static let pictures = Parts(rawValue: 2)
        package static let links = Parts(rawValue: 4)
        package static let received = Parts(rawValue: 8)
        package static let closures = Parts(rawValue: 16)
        package static let remembered = Parts(rawValue: 32)
        package static let refusals = Parts(rawValue: 64)
    }

    package var parts: Parts
    /// The number of the conversation that `sessions` are of.
    package var conversation: Int
    package var hosts: [HostID]
}
