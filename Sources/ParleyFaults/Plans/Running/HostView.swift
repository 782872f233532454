/// What can be seen at one host at one moment, in either world.
package struct HostView: Sendable, Equatable {
    package var host: HostID
    package var isRunning = false
    /// The sessions of the conversation that was asked about.
    package var sessions: [SessionSight] = []
    /// Members of a conversation at the other end of a link that answers.
    package var links: [HostID] = []
    /// All members that the node lists, with a link or without.
    package var peers: [HostID] = []
    /// Envelopes that came since the node was started.
    package var received = ReceivedCount.total(0)
    /// How often a link to each host was closed since the node was first started.
    package var closures: [HostID: Int] = [:]
    /// Other hosts whose devices its data directory names.
    package var remembered: [HostID] = []
    /// How often it or its peer ended a link because they share nothing.
    package var turnedAway = 0
    /// How many links of intruders it ended.
    package var intrudersEnded = 0
    /// Whether it said that two processes share a device.
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
    /// The other heads of a conflict, in a fixed order.
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

/// Envelopes that came to a node.
package enum ReceivedCount: Sendable, Equatable {
    case total(Int)
    /// For each session by its name.
    case each([String: Int])
}

/// What has to be seen to judge an expectation.
package struct PlanQuestion: Sendable, Equatable {
    /// What of a `HostView` is needed; the rest may be left out.
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
