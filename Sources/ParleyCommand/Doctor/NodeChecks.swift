import Foundation
import ParleyAPI

/// The checks of a running node's own reports.
struct NodeChecks {
    let view: NodeView
    let service: InstalledService?

    var findings: [Finding] {
        guard let status = view.status else { return [absent] }
        return [
            Finding(
                "node",
                status.troubles.contains(.notListening) ? .critical : .ok,
                "\(status.name) runs version \(status.version), with \(status.links) links"
            ),
            store(status), identity(status), keys, interfaces(status),
            ClockCheck.finding(of: view.latest, at: Date()),
        ]
    }

    private var absent: Finding {
        let problem = view.problem
        let cure = problem.hint.isEmpty ? nil : problem.hint
        let state: Finding.State = problem.kind == .notAllowed ? .unknown : .critical
        return Finding("node", state, problem.message, cure: cure)
    }

    private func store(_ status: NodeStatus) -> Finding {
        guard let detail = status.store.detail else {
            return Finding("store", .ok, "\(status.sessions) sessions; all is stored")
        }
        return Finding("store", status.store.state == .failing ? .critical : .warning, detail)
    }

    private func identity(_ status: NodeStatus) -> Finding {
        if let copy = status.copy {
            return Finding(
                "identity",
                .critical,
                "another process has this device's key, last met at \(copy)",
                cure: "stop one of the two and move its device.key away: it becomes another device"
            )
        }
        if let previous = status.previousDevice {
            return Finding("identity", .warning, "the directory was device \(previous) before")
        }
        return Finding("identity", .ok, "device \(status.device), met nowhere else")
    }

    /// The conversations whose present keys are not here.
    private var keys: Finding {
        let check = "keys"
        let absent = view.conversations.compactMap { one in one.absence.map { (one.name, $0) } }
        guard let (name, absence) = absent.first else {
            return Finding(check, .ok, "the present keys of all conversations are here")
        }
        let details = absent.map { name, absence in
            absence.isThrownOut
                ? "\(name): \(absence.by ?? "somebody") changed the keys without this device"
                : "\(name): the present keys have not come yet; a link to a member brings them"
        }
        let cure =
            absence.isThrownOut
            ? "ask a member for a new invite; then parley conversation leave "
                + "\(ShellWord.quoted(name)), and parley join -"
            : "parley peers   # shows whether a member is reached"
        return Finding(check, .warning, details[0], cure: cure, details: Array(details.dropFirst()))
    }

    /// The interfaces of the node, and why others are not used.
    private func interfaces(_ status: NodeStatus) -> Finding {
        let check = "interfaces"
        let all = status.interfaces
        guard status.discovery.state != .off else {
            return Finding(check, .skipped, "discovery is off")
        }
        let used = all.filter { $0.skipped == nil }.map(\.name)
        let details = all.compactMap { each in each.skipped.map { "\(each.name): \($0)" } }
        let evidence =
            (used.isEmpty ? "none is used" : "used: \(used.joined(separator: ", "))")
            + (details.isEmpty ? "" : "; skipped: \(details.joined(separator: ", "))")
        if status.discovery.state == .noInterface {
            let cure = "ip -br address   # then name one of these with --interface and --listen"
            return Finding(check, .critical, "\(evidence): not announced", cure: cure)
        }
        guard used.contains(where: { $0 != "lo" }) || !used.isEmpty && !hasNetwork else {
            return Finding(
                check,
                .warning,
                "\(evidence): no other machine finds this node",
                cure: Self.listening(service)
            )
        }
        return Finding(check, .ok, evidence, details: details)
    }

    /// The cure for a node that listens on the loopback only.
    static func listening(_ service: InstalledService?) -> String {
        guard let service, let file = service.configuration else {
            return "start the node without --listen, or with an address of the network"
        }
        return "editor \(file)   # remove listen, or name an address of the network; then "
            + service.command("restart")
    }

    /// Whether an interface to other machines is up.
    private var hasNetwork: Bool {
        view.status?.interfaces.contains { $0.name != "lo" && $0.skipped != "down" } ?? false
    }
}
