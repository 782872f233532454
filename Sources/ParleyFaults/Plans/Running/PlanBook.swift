/// What was done so far: what nodes acknowledged, and how they were when counting began.
package struct PlanBook: Sendable {
    /// A message that its author's node said is on its disk.
    package struct Acknowledgement: Sendable, Equatable {
        package var by: HostID
        package var conversation: Int
        package var session: String
        package var id: String
        package var revision: UInt64

        package init(
            by: HostID,
            conversation: Int,
            session: String,
            id: String,
            revision: UInt64
        ) {
            self.by = by
            self.conversation = conversation
            self.session = session
            self.id = id
            self.revision = revision
        }
    }

    package private(set) var acknowledged: [Acknowledgement] = []
    /// IDs of messages by the names that steps gave them.
    package private(set) var named: [String: String] = [:]
    /// Hosts whose nodes run and do not stand still.
    package internal(set) var running: Set<HostID> = []
    /// Paths that are closed now.
    package internal(set) var closed: Set<HostPath> = []
    /// How often somebody intruded at a host.
    var intrusions: [HostID: Int] = [:]
    /// What hosts were when counting began.
    var baseline: [HostID: HostView] = [:]

    mutating func add(_ acknowledgement: Acknowledgement, name: String? = nil) {
        acknowledged.append(acknowledgement)
        if let name { named[name] = acknowledgement.id }
    }

    /// Whether two hosts can open connections to one another.
    package func canReach(_ one: HostID, _ other: HostID) -> Bool {
        !closed.contains(HostPath(from: one, to: other))
            && !closed.contains(HostPath(from: other, to: one))
    }

    /// Keeps the plan's view of the network and of the nodes.
    mutating func note(_ fault: PlanFault) {
        switch fault {
        case .close(let paths): closed.formUnion(paths)
        case .heal(let hosts):
            closed = closed.filter { !hosts.contains($0.from) && !hosts.contains($0.to) }
        case .stop(let host), .kill(let host), .pause(let host): running.remove(host)
        case .resume(let host): running.insert(host)
        case .start(let host):
            running.insert(host)
            // A new process counts from nothing.
            baseline[host]?.received = .total(0)
        case .intrude(let intrusion): intrusions[intrusion.at, default: 0] += 1
        case .slow, .loss, .delay, .reorder, .avahi, .bus, .clone, .backup, .restore, .fillDisk,
            .freeDisk, .clock:
            break
        }
    }
}
