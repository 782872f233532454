/// The readable rules of a firewall that keep packets from this machine.
///
/// The rules are read as text. A rule with further conditions counts as if it matched.
package struct FirewallRules {
    /// A need of the node: a protocol and the port to which packets go.
    package struct Traffic: Hashable, Sendable {
        package let proto: String
        package let port: UInt16

        package init(proto: String, port: UInt16) {
            self.proto = proto
            self.port = port
        }
    }

    /// A rule that is in the way.
    package struct Obstacle: Hashable, Sendable {
        /// The rule, or the policy of its chain.
        package let rule: String
        /// The chain as `FAMILY TABLE CHAIN`.
        package let chain: String
        /// The number of the rule; nil for a policy.
        package let handle: String?
    }

    private struct Chain {
        var name: String
        var hook: String?
        var dropsByPolicy = false
        var rules: [(text: String, handle: String?)] = []
    }

    private var chains: [Chain] = []

    /// Reads the output of `nft -a list ruleset`.
    package init(nftables text: String) {
        var table = ""
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.first == "table", words.count > 2 {
                table = "\(words[1]) \(words[2])"
            } else if words.first == "chain", words.count > 1 {
                chains.append(Chain(name: "\(table) \(words[1])"))
            } else if words.first == "type", let hook = words.firstIndex(of: "hook") {
                guard !chains.isEmpty else { continue }
                chains[chains.count - 1].hook = String(words[hook + 1])
                chains[chains.count - 1].dropsByPolicy = line.contains("policy drop")
            } else if !chains.isEmpty, words.count > 1, words.first != "}" {
                let parts = line.split(separator: " # handle ")
                let rule = parts[0].trimmingPrefix { $0.isWhitespace }
                let handle = parts.count > 1 ? String(parts[1]) : nil
                chains[chains.count - 1].rules.append((String(rule), handle))
            }
        }
    }

    /// Reads the output of `iptables -S`.
    package init(iptables text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 1 else { continue }
            let name = "ip filter \(words[1])"
            if !chains.contains(where: { $0.name == name }) {
                let hook = words[1] == "INPUT" || words[1] == "OUTPUT" || words[1] == "FORWARD"
                chains.append(Chain(name: name, hook: hook ? words[1].lowercased() : nil))
            }
            guard let index = chains.firstIndex(where: { $0.name == name }) else { continue }
            if words[0] == "-P" {
                chains[index].dropsByPolicy = words.last == "DROP"
            } else if words[0] == "-A" {
                // The rule in the words of nftables, as far as the check needs.
                let rule = words.dropFirst(2).joined(separator: " ")
                    .replacing("-j ACCEPT", with: "accept").replacing("-j DROP", with: "drop")
                    .replacing("-j REJECT", with: "reject")
                    .replacing("--dports", with: "dport").replacing("--dport", with: "dport")
                    .replacing("-p ", with: "")
                chains[index].rules.append((rule, nil))
            }
        }
    }

    /// The rules against incoming packets, and for UDP also against outgoing packets.
    package func obstacles(for traffic: Traffic) -> [Obstacle] {
        var found: [Obstacle] = []
        var isAccepted = false
        var policies: [Obstacle] = []
        for chain in chains where concerns(chain, traffic) {
            for (text, handle) in chain.rules {
                let words = Self.words(text)
                guard Self.matches(words, traffic) else { continue }
                if words.contains("accept") {
                    isAccepted = true
                    // A plain rule ends the chain; a rule with further conditions does not.
                    if words.count <= Self.plainWords { break }
                } else if words.contains("drop") || words.contains("reject") {
                    found.append(Obstacle(rule: text, chain: chain.name, handle: handle))
                }
            }
            if chain.hook == "input", let drop = Self.closing(chain, traffic) {
                policies.append(drop)
            }
        }
        return isAccepted ? found : found + policies
    }

    private func concerns(_ chain: Chain, _ traffic: Traffic) -> Bool {
        chain.hook != "forward" && (chain.hook != "output" || traffic.proto == "udp")
    }

    /// A policy or a last rule that drops all packets that no rule has accepted.
    private static func closing(_ chain: Chain, _ traffic: Traffic) -> Obstacle? {
        if chain.dropsByPolicy {
            return Obstacle(rule: "policy drop", chain: chain.name, handle: nil)
        }
        guard let last = chain.rules.last else { return nil }
        let words = words(last.text)
        // The words after the verdict name the answer to the sender.
        guard let verdict = words.firstIndex(where: { $0 == "drop" || $0 == "reject" }),
            words[..<verdict].allSatisfy({
                unconditional.contains($0) || $0 == traffic.proto || UInt64($0) != nil
            })
        else { return nil }
        return Obstacle(rule: last.text, chain: chain.name, handle: nil)
    }

    /// The words of a rule that do not restrict packets of a protocol.
    private static let unconditional: Set = [
        "counter", "packets", "bytes", "log", "prefix", "level", "flags", "all", "meta", "l4proto",
        "ip", "ip6", "protocol", "nexthdr", "debug", "info", "notice", "warn", "err",
    ]

    /// The number of words in `udp dport 5353 counter packets 0 bytes 0 accept`.
    private static let plainWords = 9

    /// The words of a rule without quoted ones, such as the prefix of a log line.
    private static func words(_ rule: String) -> [String] {
        rule.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }
            .flatMap { $0.element.split { " {},".contains($0) } }.map(String.init)
    }

    /// Whether a rule is for packets of the protocol to the port.
    private static func matches(_ words: [String], _ traffic: Traffic) -> Bool {
        guard let index = words.firstIndex(of: "dport"),
            words[..<index].contains(where: { $0 == traffic.proto || $0 == "th" })
        else { return false }
        let ports = words[(index + 1)...]
        let excepts = ports.first == "!="
        for word in excepts ? ports.dropFirst() : ports {
            let ends = word.split { $0 == "-" || $0 == ":" }.map { UInt16($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil else { break }
            if (min(first, last)...max(first, last)).contains(traffic.port) { return !excepts }
        }
        return excepts
    }
}
