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

        /// A directory of somebody else, another key, addresses in use, a daemon without interface,
        /// a locked database, a clock that is ahead, a bus that refuses, and a node that stands
        /// still.
        @Test func faultsOfMachinesAreFound() async throws {
            try await Lab.with(hosts: 2) { lab in
                let (one, two) = (lab.host(1), lab.host(2))
                let first = try await one.start()
                async let asSomebody: Void = Self.lookAsSomebody(at: one)
                try await two.start().stop()
                try await two.parley("identity", "rotate")
                let second = try await two.start([], under: try await Self.laterClock(in: lab))
                try await asSomebody
                _ = try await one.create("games")
                try await two.join(try await one.invite(to: "games"))
                try await two.send("?late", to: "games", "--wait", "delivered=1")
                try await Self.confuseAddresses(of: one, two)
                try await Self.edit("avahi.conf", "s/allow-interfaces=.*/&9/", on: two)
                try await lab.script("avahi", "2", "restart")
                try await eventually("the announcement") {
                    try two.state().discovery.state == "published"
                }
                let lock = try await Self.lockDatabase(of: two)
                let ofTwo = try await Self.doctor(two, "nobody").faults
                lock.signal(SIGKILL)
                try #require(
                    ofTwo == [
                        "announcement": "critical", "identity": "warning", "ipv6": "warning",
                        "peer": "critical", "store": "critical",
                    ]
                )

                let rule = #"<deny send_destination="org.freedesktop.Avahi"/>"#
                try await Self.edit("bus.conf", "s|</policy>|\(rule)&|", on: one)
                try await lab.script("dbus", "1", "reload")
                second.child.signal(SIGSTOP)
                _ = try await one.send("?", to: "games")
                try await eventually("silence") {
                    try one.around().contains { $0.state == "unresponsive" }
                }
                let ofOne = try await Self.doctor(one, "host2")
                second.child.signal(SIGCONT)
                try #require(
                    ofOne.faults == [
                        "avahi": "critical", "clock": "warning", "ipv6": "warning",
                        "peer": "critical",
                    ]
                )
                for words in ["not let this user ask", "from the future", "fd00::1 of eth0"] {
                    try #require(
                        ofOne.findings.contains { $0.evidence.contains(words) },
                        "\(words)"
                    )
                }
                try await first.stop()
                try await second.stop()
            }
        }

        // MARK: Parts

        /// A user to whom the directory does not belong may see neither it nor the node.
        private static func lookAsSomebody(at host: Host) async throws {
            try await host.must(["chown", "5", host.data])
            let report = try await doctor(host, under: ["unshare", "--user", "--map-user=1000"])
            try #require(report.exitCode == 3)
            try #require(report.faults == ["data-directory": "unknown", "node": "unknown"])
            try await host.must(["chown", "0", host.data])
        }

        /// The command under which a program has a wall clock that is ahead.
        private static func laterClock(in lab: Lab) async throws -> [String] {
            let library = "\(lab.directory)/clock.so"
            let source = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../Lab/clock.c").standardized.path
            let compiler = ["/usr/bin/env", "clang", "-shared", "-fPIC", "-o", library]
            let built = try await lab.run(compiler + [source])
            try #require(built.exitCode == 0, "\(built.errors)")
            return ["env", "LD_PRELOAD=\(library)"]
        }

        /// A program that has the database of a host locked; the node has noticed.
        private static func lockDatabase(of host: Host) async throws -> Child {
            let lock = try host.lab.start(
                ["sqlite3", "\(host.data)/parley.sqlite", "BEGIN IMMEDIATE", ".shell sleep 60"],
                on: host.number,
                output: "\(host.data).locked",
                errors: "\(host.data).lock"
            )
            try await eventually("a store that fails") {
                try await host.attempt(["send", "-c", "games", "--url", "?"]).exitCode == 74
            }
            return lock
        }

        /// Gives one host an address that the other one has, and lets that one ask for an address
        /// for minutes.
        private static func confuseAddresses(of one: Host, _ two: Host) async throws {
            let settings = "/proc/sys/net/ipv6/conf/eth0"
            let add = "ip -6 address add dev eth0"
            let asking =
                "\(add) fd00::1/64; cd \(settings); echo 1 >accept_dad; echo 200 >dad_transmits"
            try await two.must(["sh", "-ec", "\(asking); \(add) fd00::2/64"])
            // An answer may be lost on the way, and then the address counts as free.
            let taken = """
                echo 1 >\(settings)/accept_dad
                until ip -6 address show dadfailed | grep -q .; do
                    if ! ip -6 address show tentative | grep -q fd00::1; then
                        ip -6 address del dev eth0 fd00::1/64 2>/dev/null || :
                        \(add) fd00::1/64
                    fi
                    sleep 0.05
                done
                """
            try await one.must(["sh", "-ec", taken])
        }

        /// Changes a configuration of a host with a command of sed.
        private static func edit(_ file: String, _ command: String, on host: Host) async throws {
            try await host.must(["sed", "-i", command, "/run/\(file)"])
        }

        /// The firewall of this machine, and the cure that the doctor names.
        private static func dropAndCure(on host: Host) async throws {
            try await block(["udp dport 5353 drop", "tcp dport 27275 drop"], on: host)
            let report = try await doctor(host)
            try #require(report.exitCode == 2)
            for check in ["announcement", "port"] {
                try #require(report.state(check) == "critical")
            }
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
            // Discovery says that no interface fits some time after the node is ready.
            let faults = ["interfaces": "warning", "port": "warning"]
            try await eventually("\(faults)") { try await doctor(host).faults == faults }
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
        private static func doctor(
            _ host: Host,
            _ peer: String...,
            under command: [String] = []
        ) async throws -> Report {
            let outcome = try await host.inside(
                command + [Lab.executable, "doctor"] + peer + ["--json", "--data", host.data]
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
