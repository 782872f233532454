import ParleyCommand
import Testing

/// The rules of a firewall as text.
@Suite struct FirewallRulesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let policy: String
        let rules: [String]
        /// The handles of the rules that drop the port of nodes; nil stands for the policy.
        let found: [String?]

        var testDescription: String { "\(policy): \(rules.joined(separator: "; "))" }
    }

    @Test(arguments: [
        Case(policy: "accept", rules: [], found: []),
        Case(policy: "accept", rules: ["tcp dport 27275 drop"], found: ["1"]),
        Case(
            policy: "accept",
            rules: ["tcp dport { 22, 27000-28000 } counter reject"],
            found: ["1"]
        ),
        Case(policy: "accept", rules: ["udp dport 27275 drop", "tcp dport 22 drop"], found: []),
        Case(policy: "accept", rules: ["iifname \"lo\" accept", "drop"], found: [nil]),
        Case(policy: "accept", rules: ["tcp dport 27275 accept", "drop"], found: []),
        Case(policy: "accept", rules: ["reject with icmpx admin-prohibited"], found: [nil]),
        Case(policy: "accept", rules: ["log prefix \"lost: \" counter drop"], found: [nil]),
        Case(policy: "accept", rules: ["meta l4proto tcp reject with tcp reset"], found: [nil]),
        Case(policy: "accept", rules: ["meta l4proto udp drop"], found: []),
        Case(policy: "accept", rules: ["iifname \"wlan0\" drop"], found: []),
        Case(policy: "accept", rules: ["tcp dport != 22 drop"], found: ["1"]),
        Case(policy: "accept", rules: ["tcp dport != { 22, 27275 } drop"], found: []),
        Case(
            policy: "accept",
            rules: ["tcp dport 27275 accept", "tcp dport 27275 drop"],
            found: []
        ),
        // Regressions: the cure of iptables, as nft lists it, and the last rule of firewalld.
        Case(
            policy: "accept",
            rules: ["tcp dport 27275 counter packets 0 bytes 0 accept", "tcp dport 27275 drop"],
            found: []
        ),
        Case(policy: "accept", rules: ["reject with icmpx admin-prohibited"], found: [nil]),
        Case(policy: "accept", rules: ["th dport 27275 drop"], found: ["1"]),
        Case(policy: "drop", rules: ["ct state established,related accept"], found: [nil]),
        Case(policy: "drop", rules: ["tcp dport 27275 accept"], found: []),
        Case(policy: "drop", rules: ["tcp dport 22 accept"], found: [nil]),
    ])
    func whatDropsThePortIsFound(each: Case) {
        let rules = each.rules.enumerated().map { "\t\t\($1) # handle \($0 + 1)\n" }.joined()
        let text = """
            table inet filter { # handle 4
            \tset blocked { # handle 9
            \t\ttype ipv4_addr
            \t}
            \tchain input { # handle 2
            \t\ttype filter hook input priority filter; policy \(each.policy);
            \(rules)\t}
            \tchain forward { # handle 3
            \t\ttype filter hook forward priority filter; policy drop;
            \t\ttcp dport 27275 drop # handle 8
            \t}
            }
            """
        let found = FirewallRules(nftables: text)
            .obstacles(for: FirewallRules.Traffic(proto: "tcp", port: 27_275))
        #expect(found.map(\.handle) == each.found)
        #expect(found.allSatisfy { $0.chain == "inet filter input" })
    }

    @Test func rulesOfIptablesAreRead() {
        let rules = FirewallRules(
            iptables: """
                -P INPUT DROP
                -P FORWARD DROP
                -N ours
                -A INPUT -j ours
                -A INPUT -p udp -m udp --dport 5353 -j DROP
                -A ours -p tcp -m multiport --dports 22,27275 -j ACCEPT
                """
        )
        let dropped = rules.obstacles(for: FirewallRules.Traffic(proto: "udp", port: 5_353))
        #expect(dropped.map(\.chain) == ["ip filter INPUT", "ip filter INPUT"])
        #expect(rules.obstacles(for: FirewallRules.Traffic(proto: "tcp", port: 27_275)).isEmpty)
    }
}
