/// The history of a run so far: acknowledged messages, the state of the network, and the counts at
/// which counting began.
package struct PlanBook: Sendable {
    /// A message that its author's node acknowledged.
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
    /// The IDs of messages, by the names that steps gave them.
    package private(set) var named: [String: String] = [:]
    /// The hosts whose nodes run and are not paused.
    package internal(set) var running: Set<HostID> = []
    /// The paths that are closed.
    package internal(set) var closed: Set<HostPath> = []
    /// The number of intrusions at each host.
    var intrusions: [HostID: Int] = [:]
    /// The observations at which counting began.
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

    /// Updates the plan's view of the network and of the nodes.
    mutating func note(_ fault: PlanFault) {
        switch fault {
        case .close(let paths): closed.formUnion(paths)
        case .open(let paths), .heal(_, let paths): closed.subtract(paths)
        case .stop(let host), .kill(let host), .pause(let host): running.remove(host)
        case .resume(let host): running.insert(host)
        case .start(let host):
            running.insert(host)
            // A new process counts from zero.
            baseline[host]?.received = .total(0)
        case .intrude(let intrusion): intrusions[intrusion.at, default: 0] += 1
        case .slow, .loss, .delay, .reorder, .duplicate, .program, .avahi, .bus, .clone, .backup,
            .restore, .fillDisk, .freeDisk, .clock:
            break
        }
    }
}
