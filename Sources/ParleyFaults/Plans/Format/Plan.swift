/// A scenario of a plan file: hosts, conversations with their members, and a sequence of steps.
///
/// A plan runs in the simulator and against real nodes in the lab. `docs/plans.md` describes the
/// file.
package struct Plan: Sendable, Equatable {
    /// One line about the purpose of the plan.
    package var title: String
    /// The environments in which the plan can run.
    package var worlds: Set<PlanWorld>
    package var hosts: [PlanHost]
    package var conversations: [PlanConversation]
    /// The paths that are closed from the beginning.
    package var apart: Set<HostPath>
    /// The steps, in the order of execution.
    package var steps: [PlanStep]

    package func host(_ id: HostID) -> PlanHost { hosts[id.index] }

    package func name(_ id: HostID) -> String { hosts[id.index].name }

    package var hostIDs: [HostID] { hosts.indices.map(HostID.init) }
}

/// An environment in which a plan can run.
package enum PlanWorld: String, CaseIterable, Sendable {
    /// The simulator: machines in virtual time, driven by one seed.
    case simulator
    /// The lab: real nodes in network namespaces of this machine.
    case lab
}

/// A host of a plan, by its index in the list.
package struct HostID: Hashable, Comparable, Sendable {
    package let index: Int

    package init(_ index: Int) { self.index = index }

    package static func < (left: HostID, right: HostID) -> Bool { left.index < right.index }
}

/// The path from one host to another, in one direction.
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

/// A machine that runs a node, other programs, or both.
package struct PlanHost: Sendable, Equatable {
    package var name: String
    /// Whether its node announces itself and looks for others.
    package var usesDiscovery = true
    /// Whether an avahi-daemon and a bus run on it at the beginning.
    package var hasAvahi = true
    /// The hosts whose addresses are in the configuration of the node.
    package var peers: [HostID] = []
    /// Whether the node runs from the beginning; otherwise the first `start` starts it.
    package var startsAtOnce = true
    /// Whether it has a node at all.
    package var hasNode = true
    /// The programs beside the node.
    package var programs: [PlanProgram] = []
    /// The bytes of a separate disk that can be filled; 0 for no separate disk.
    package var diskBytes = 0

    package init(name: String) { self.name = name }
}

/// The role of a host in a conversation.
package enum PlanRole: String, CaseIterable, Sendable {
    case writer, reader, relay

    /// The key under which a plan lists the hosts with this role.
    package var plural: String { rawValue + "s" }
}

/// A conversation and its members.
package struct PlanConversation: Sendable, Equatable {
    /// A host and its role.
    package struct Member: Sendable, Equatable {
        package var host: HostID
        package var role: PlanRole
    }

    package var name: String
    /// The members: the first creates the conversation as a writer, the others join by invites.
    package var members: [Member]

    package func role(of host: HostID) -> PlanRole? {
        members.first { $0.host == host }?.role
    }

    /// The members that show messages, in the order of the hosts.
    package var audience: [HostID] {
        members.filter { $0.role != .relay }.map(\.host).sorted()
    }
}
