import Foundation

/// The check of the firewall of this machine.
struct FirewallCheck {
    /// The port on which the node listens.
    let port: UInt16
    let usesDiscovery: Bool
    /// The command that repeats the check as root.
    let again: String

    /// The manager of the rules; rules from elsewhere would be lost or in the way.
    private enum Manager {
        case nftables, iptables, ufw, firewalld

        /// The command that lets the traffic in.
        func opening(_ traffic: FirewallRules.Traffic, _ obstacle: FirewallRules.Obstacle) -> String
        {
            let (proto, port) = (traffic.proto, traffic.port)
            switch self {
            case .ufw: return "sudo ufw allow \(port)/\(proto)"
            case .firewalld:
                return "sudo firewall-cmd --permanent --add-port=\(port)/\(proto) && "
                    + "sudo firewall-cmd --reload"
            case .iptables:
                return "sudo iptables -I INPUT -p \(proto) --dport \(port) -j ACCEPT"
            case .nftables:
                guard let handle = obstacle.handle else {
                    return "sudo nft insert rule \(obstacle.chain) \(proto) dport \(port) accept"
                }
                return "sudo nft delete rule \(obstacle.chain) handle \(handle)"
            }
        }
    }

    var finding: Finding {
        let check = "firewall"
        guard let (rules, manager) = rules else {
            guard ["nft", "iptables"].contains(where: { SystemProgram.path($0) != nil }),
                geteuid() != 0
            else { return Finding(check, .skipped, "neither nft nor iptables lists the rules") }
            return Finding(check, .skipped, "only root may read the rules", cure: again)
        }
        var wanted = [FirewallRules.Traffic(proto: "tcp", port: port)]
        if usesDiscovery { wanted.append(FirewallRules.Traffic(proto: "udp", port: 5_353)) }
        let obstacles = wanted.flatMap { traffic in
            rules.obstacles(for: traffic).map { (traffic, $0) }
        }
        guard !obstacles.isEmpty else {
            return Finding(check, .ok, "no rule for \(Self.text(wanted)) drops it")
        }
        let words = obstacles.map {
            "\($0.0.proto) \($0.0.port): \"\($0.1.rule)\" in \($0.1.chain)"
        }
        let cures = obstacles.map { manager.opening($0.0, $0.1) }
        var seen: Set<String> = []
        return Finding(
            check,
            .critical,
            words.joined(separator: "; "),
            cure: cures.filter { seen.insert($0).inserted }.joined(separator: " && ")
        )
    }

    private static func text(_ wanted: [FirewallRules.Traffic]) -> String {
        wanted.map { "\($0.proto) \($0.port)" }.joined(separator: " and ")
    }

    private var rules: (FirewallRules, Manager)? {
        if let text = SystemProgram.output(of: "nft", ["-a", "list", "ruleset"]) {
            let manager: Manager =
                text.contains("table inet firewalld")
                ? .firewalld
                : text.contains("chain ufw-")
                    ? .ufw
                    : text.contains("managed by iptables") || text.contains("chain INPUT")
                        ? .iptables : .nftables
            let rules = FirewallRules(nftables: text)
            // The old kernel interface of iptables has rules that nft does not list.
            if !text.isEmpty || SystemProgram.path("iptables") == nil { return (rules, manager) }
        }
        guard let text = SystemProgram.output(of: "iptables", ["-S"]) else { return nil }
        let manager: Manager = text.contains("ufw-") ? .ufw : .iptables
        return (FirewallRules(iptables: text), manager)
    }
}
