import Foundation
import ParleyAPI
import ParleyDiscovery
import ParleyTransport

/// The checks whether this node and announced nodes can be dialled.
struct ReachChecks {
    let view: NodeView
    let network: NetworkView
    let service: InstalledService?

    func findings() async -> [Finding] {
        [await port(), visit, await announced(), ipv6].compactMap(\.self)
    }

    /// Whether the node accepts at its own addresses, as far as this machine can tell.
    private func port() async -> Finding? {
        guard let status = view.status else { return nil }
        let unused = Self.ipv6Addresses.unused.map(\.ip)
        let addresses = status.addresses.compactMap { try? SocketAddress(parsing: $0) }
            .filter { !unused.contains($0.ip) }
        let failures = await NetworkView.failures(at: addresses)
        let refusing = zip(addresses, failures).compactMap { address, failure in
            failure.map { "\(address): \($0)" }
        }
        guard refusing.isEmpty, !addresses.isEmpty else {
            let words = addresses.isEmpty ? "it has no address" : refusing.joined(separator: ", ")
            let cure = "ss -ltnp   # who listens; sudo nft list ruleset"
            return Finding(
                "port",
                .critical,
                "not even this machine connects: \(words)",
                cure: cure
            )
        }
        guard !addresses.allSatisfy(\.ip.isLoopback) else {
            return Finding(
                "port",
                .warning,
                "the node listens on \(status.addresses.joined(separator: ", ")), for this machine "
                    + "only",
                cure: NodeChecks.listening(service)
            )
        }
        return Finding(
            "port",
            .ok,
            "this machine connects to \(addresses.count) addresses of the node",
            details: addresses.map(\.description)
        )
    }

    /// Whether another machine got through: the only proof that no firewall is between.
    private var visit: Finding? {
        guard let status = view.status else { return nil }
        guard let visit = status.visit else {
            return Finding(
                "reached",
                .skipped,
                "no other machine has connected since the start: whether one can is not known",
                cure: "parley doctor \(ShellWord.quoted(status.name))   # on another machine"
            )
        }
        let age = TerminalText.age(of: visit.at)
        return Finding("reached", .ok, "another machine connected from \(visit.address), \(age)")
    }

    /// Whether the announced nodes can be dialled.
    private func announced() async -> Finding? {
        var seen: Set<SocketAddress> = []
        let others = network.services.compactMap { service -> (DiscoveredService, SocketAddress)? in
            guard let address = network.address(of: service), !LocalAddress.isHere(address.ip),
                seen.insert(address).inserted
            else { return nil }
            return (service, address)
        }
        guard !others.isEmpty else { return nil }
        let failures = await NetworkView.failures(at: others.map(\.1))
        let results = zip(others, failures).map { ($0.0, $0.1, $1) }
        var lost: [String] = []
        var details: [String] = []
        for (_, results) in Dictionary(grouping: results, by: \.0.shortID).sorted(by: {
            $0.key < $1.key
        }) {
            let lines = results.compactMap { service, address, failure in
                failure.map { "\(service.deviceName) at \(address): \($0)" }
            }
            if lines.count == results.count { lost += lines.prefix(1) } else { details += lines }
        }
        guard lost.isEmpty else {
            return Finding(
                "announced-nodes",
                .warning,
                "announced and not reached: \(lost.joined(separator: "; "))",
                cure: "parley doctor   # there; its firewall or the network may drop the port",
                details: details
            )
        }
        let names = Set(others.map(\.0.deviceName)).sorted()
        let words = "\(names.joined(separator: ", ")) can be dialled"
        let rest =
            details.isEmpty ? "" : ", not at all addresses: \(details.joined(separator: "; "))"
        return Finding("announced-nodes", .ok, words + rest)
    }

    /// An address that the kernel does not use: another machine has it, or the check is not over.
    private struct UnusedAddress {
        let ip: IPAddress
        let interface: Substring
        let isTaken: Bool
    }

    /// The number of IPv6 addresses besides the loopback's, and the unused addresses.
    private static var ipv6Addresses: (count: Int, unused: [UnusedAddress]) {
        let text = try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)
        let rows = (text ?? "").split(separator: "\n").map { $0.split(separator: " ") }
            .filter { $0.count == 6 && $0[5] != "lo" }
        let (failed, tentative) = (0x08, 0x40)
        let unused = rows.compactMap { row -> UnusedAddress? in
            guard let flags = Int(row[4], radix: 16), flags & (failed | tentative) != 0 else {
                return nil
            }
            let digits = Array(row[0])
            let bytes = stride(from: 0, to: digits.count - 1, by: 2)
                .compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
            return IPAddress(bytes: bytes)
                .map { UnusedAddress(ip: $0, interface: row[5], isTaken: flags & failed != 0) }
        }
        return (rows.count, unused)
    }

    private var ipv6: Finding {
        let (count, unused) = Self.ipv6Addresses
        guard count > 0 else { return Finding("ipv6", .skipped, "no interface has IPv6") }
        guard let first = unused.first else {
            return Finding("ipv6", .ok, "\(count) addresses can be used")
        }
        return Finding(
            "ipv6",
            .warning,
            "\(first.ip) of \(first.interface) cannot be used: "
                + (first.isTaken ? "another machine has it" : "the kernel still asks who has it"),
            cure: "ip -6 address show dev \(first.interface)"
        )
    }
}
