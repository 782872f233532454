/// A scenario as somebody wrote it: hosts, who shares what, and what happens in which order.
///
/// It runs in the simulator and against real nodes on the lab. `docs/plans.md` describes the file.
package struct Plan: Sendable, Equatable {
    /// One line that says what it shows.
    package var title: String
    /// Where it can be run.
    package var worlds: Set<PlanWorld>
    package var hosts: [PlanHost]
    package var conversations: [PlanConversation]
    /// Paths that are closed from the beginning.
    package var apart: Set<HostPath>
    /// In the order in which they are done.
    package var steps: [PlanStep]

    package func host(_ id: HostID) -> PlanHost { hosts[id.index] }

    package func name(_ id: HostID) -> String { hosts[id.index].name }

    package var hostIDs: [HostID] { hosts.indices.map(HostID.init) }
}

/// Where a plan can be run.
package enum PlanWorld: String, CaseIterable, Sendable {
    /// Machines in virtual time, from one seed.
    case simulator
    /// Real nodes in network namespaces of this machine.
    case lab
}

/// A host of a plan, by its place in the list.
package struct HostID: Hashable, Comparable, Sendable {
    package let index: Int

    package init(_ index: Int) { self.index = index }

    package static func < (left: HostID, right: HostID) -> Bool { left.index < right.index }
}

/// The path from one host to another, one direction of it.
package struct HostPath: Hashable, Comparable, Sendable {
    package let from: HostID
    package let to: HostID

    package init(from: HostID, to: HostID) {
        self.from = from
        self.to = to
    }

    package static func < (left: HostPath, right: HostPath) -> Bool {
        (left.from, left.to) < (right.from, right.to)
    }
}

/// A machine with one node on it.
package struct PlanHost: Sendable, Equatable {
    package var name: String
    /// Whether its node announces itself and looks for others.
    package var usesDiscovery = true
    /// Whether it has an avahi-daemon and a bus at the beginning.
    package var hasAvahi = true
    /// Hosts whose addresses its node is given.
    package var peers: [HostID] = []
    /// Whether its node runs from the beginning; else from its first `start` on.
    package var startsAtOnce = true
    /// Bytes of a disk of its own, which can be filled; 0 for none.
    package var diskBytes = 0

    package init(name: String) { self.name = name }
}

/// What somebody may do in a conversation.
package enum PlanRole: String, CaseIterable, Sendable {
    case writer, reader, relay

    /// The key under which a plan lists them.
    package var plural: String { rawValue + "s" }
}

/// A conversation and who is in it.
package struct PlanConversation: Sendable, Equatable {
    /// A host and what it may do.
    package struct Member: Sendable, Equatable {
        package var host: HostID
        package var role: PlanRole
    }

    package var name: String
    /// The first one is a writer and makes the conversation; the others join by its invites.
    package var members: [Member]

    package func role(of host: HostID) -> PlanRole? {
        members.first { $0.host == host }?.role
    }

    /// Those who show messages, in the order of the hosts.
    package var audience: [HostID] {
        members.filter { $0.role != .relay }.map(\.host).sorted()
    }
}
