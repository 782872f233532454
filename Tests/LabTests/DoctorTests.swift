import Foundation
import TestSupport
import Testing

extension TheLab {
    /// `parley doctor` finds faults that are made for real, and nothing where there are none.
    @Suite(.timeLimit(.minutes(5)))
    struct DoctorTests {
        @Test func eachFaultIsFoundAndNoOtherOne() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                let first = try await one.start()
                let second = try await two.start()
                _ = try await one.create("games")
                try await two.join(try await one.invite(to: "games"))
                try await one.awaitLinks(1)
                // Whichever of the two dialled the other.
                try await eventually("a visit") {
                    try one.state().visit != nil || two.state().visit != nil
                }
                let clean = try await Self.doctor(one, "host2")
                try #require(clean.faults == [:] && clean.exitCode == 0, "a clean run")
                try #require(clean.state("peer") == "ok")
                try #require(clean.state("firewall") == "ok" && clean.state("others") == "ok")

                try await Self.loseMulticast(of: two, besides: one)
                try await Self.dropAndCure(on: one)
                // The other firewall, which also shows that the cure was one.
                try await Self.block(["tcp dport 27275 reject"], on: two)
                let refusing = try await Self.doctor(one, "10.77.0.2:27275")
                try #require(refusing.state("announced-nodes") == "warning")
                for check in ["announcement", "port", "firewall"] {
                    try #require(refusing.state(check) == "ok", "\(check) after the cure")
                }
                let address = refusing.findings.filter { $0.check == "peer-address" }
                let words = "10.77.0.2:27275: nothing listens on that port"
                try #require(address.contains { $0.evidence.hasPrefix(words) })
                try await two.must(["nft", "delete table inet t"])
                try await second.stop()

                try await Self.misconfigure(two, besides: one)
                try await lab.script("avahi", "1", "stop")
                try #require(try await Self.doctor(one).faults["avahi"] == "critical")
                try await lab.script("dbus", "1", "stop")
                try await first.stop()
                let without = try await Self.doctor(one)
                try #require(without.state("node") == "critical")
                let bus = try #require(without.findings.first { $0.check == "avahi" })
                try #require(bus.evidence.hasPrefix("no D-Bus system bus"))
            }
        }

        // MARK: Parts

        /// The firewall of this machine, and the cure that the doctor names.
        private static func dropAndCure(on host: Host) async throws {
            try await block(["udp dport 5353 drop", "tcp dport 27275 drop"], on: host)
            let report = try await doctor(host)
            try #require(report.exitCode == 2)
            try #require(report.state("announcement") == "critical")
            let rules = try #require(report.findings.first { $0.check == "firewall" })
            for port in ["udp 5353", "tcp 27275"] { try #require(rules.evidence.contains(port)) }
            for command in try #require(rules.cure).split(separator: " && ") {
                try await host.must(command.split(separator: " ").dropFirst().map(String.init))
            }
        }

        /// A machine that is heard by nobody, although it is announced.
        private static func loseMulticast(of host: Host, besides other: Host) async throws {
            let rules = [
                "add table inet m", "add chain inet m o { type filter hook output priority 0; }",
                "add rule inet m o ip daddr 224.0.0.251 drop",
                "add rule inet m o ip6 daddr ff02::fb drop",
            ]
            try await host.must(["nft", rules.joined(separator: "; ")])
            try #require(try await doctor(other).faults == ["others": "warning"])
            try await host.must(["nft", "delete table inet m"])
        }

        /// Options that make a node unknown to others, which have no reason to warn of that.
        private static func misconfigure(_ host: Host, besides other: Host) async throws {
            let peers = ["10.77.0.9:1", "10.77.0.1:27275"].flatMap { ["--peer", $0] }
            var node = try await host.start(["--interface", "wlan9"] + peers)
            try await other.awaitLinks(1)
            async let beside = doctor(other)
            let report = try await doctor(host, "10.77.0.9:1")
            try #require(try await beside.faults == [:])
            try #require(report.state("interfaces") == "critical")
            try #require(report.state("announcement") == "critical")
            try #require(report.state("peer-address") == "critical")
            try await node.stop()
            node = try await host.start(["--listen", "127.0.0.1:27275"])
            let faults = try await doctor(host).faults
            try #require(faults == ["interfaces": "warning", "port": "warning"], "\(faults)")
            try #require(try other.around().allSatisfy { $0.state != "discovered" })
            try await node.stop()
        }

        private static func block(_ rules: [String], on host: Host) async throws {
            let chain =
                "add table inet t; add chain inet t c { type filter hook input priority 0; }"
            let lines = rules.map { "; add rule inet t c \($0)" }.joined()
            try await host.must(["nft", chain + lines])
        }

        private struct Report: Decodable {
            struct Finding: Decodable {
                let check: String
                let state: String
                let evidence: String
                let cure: String?
            }

            let findings: [Finding]
            var exitCode: Int32?

            /// The checks that found something, with their states.
            var faults: [String: String] {
                let bad = findings.filter { !["ok", "skipped"].contains($0.state) }
                return Dictionary(bad.map { ($0.check, $0.state) }) { first, _ in first }
            }

            /// The state of the first finding of a check.
            func state(_ check: String) -> String? {
                findings.first { $0.check == check }?.state
            }
        }

        /// The report of a doctor on the machine of the host.
        private static func doctor(_ host: Host, _ peer: String...) async throws -> Report {
            let outcome = try await host.inside(
                [Lab.executable, "doctor"] + peer + ["--json", "--data", host.data]
            )
            var report = try JSONDecoder().decode(Report.self, from: outcome.output)
            report.exitCode = outcome.exitCode
            for each in report.findings where !["ok", "skipped"].contains(each.state) {
                Figure.say("doctor: \(each.check): \(each.evidence)")
            }
            return report
        }
    }
}
