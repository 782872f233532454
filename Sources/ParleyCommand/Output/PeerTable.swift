package import Foundation
package import ParleyAPI

/// Devices in a table; a dash stands for an unknown value.
package enum PeerTable {
    private static let titles = ["NAME", "STATE", "ADDRESS", "RTT", "QUEUE", "SHARES", "DEVICE"]

    /// Writes the table, the reasons for unreached devices, and the devices that are full.
    static func show(_ peers: [Peer], on output: Output) {
        output.table(table(peers, on: output))
        for line in inviters(of: peers) + heard(of: peers) { output.line(line) }
        let failures = failures(of: peers)
        if !failures.isEmpty { output.line("\nNot reached:") }
        for failure in failures { output.line("  \(failure)") }
        let full = full(of: peers)
        if !full.isEmpty { output.line("\nFull:") }
        for line in full { output.line("  \(line)") }
    }

    private static func table(_ peers: [Peer], on output: Output) -> TextTable {
        var table = TextTable(titles)
        for peer in peers {
            var cells = cells(of: peer)
            cells[1] = output.style(peer.state == .connected ? .green : .dim, cells[1])
            table.add(cells)
        }
        return table
    }

    /// A line for each address at which a device without a link was not reached, with the reason.
    package static func failures(of peers: [Peer], at now: Date = Date()) -> [String] {
        peers.filter { !linked.contains($0.state) }
            .flatMap { peer in
                peer.addresses.compactMap { address in
                    address.failure.map { line(peer, address.text, $0, now) }
                }
            }
    }

    /// A line for each device that somebody let in by an invite that ends, after an empty line.
    package static func inviters(of peers: [Peer]) -> [String] {
        let lines = peers.flatMap { peer in
            (peer.invitedBy ?? [:]).sorted { $0.key < $1.key }.map { conversation, inviter in
                let name = peer.name ?? DeviceText.short(peer.device)
                return TerminalText.safe("\(name) was invited by \(inviter) (\(conversation))")
            }
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// A line for each device that only others have heard of, after an empty line.
    package static func heard(of peers: [Peer], at now: Date = Date()) -> [String] {
        let lines = peers.compactMap { peer in
            peer.seen.map { seen in
                let name = peer.name ?? DeviceText.short(peer.device)
                let way = peer.through.map { " through \($0)" } ?? ""
                let age = TerminalText.age(of: seen, now: now)
                return TerminalText.safe("\(name) was heard of \(age)\(way)")
            }
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// A line for each device without space for new sessions, with the conversations.
    package static func full(of peers: [Peer]) -> [String] {
        peers.filter { !$0.full.isEmpty }.map { peer in
            let names = TerminalText.safe(peer.full.joined(separator: ", "))
            return TerminalText.safe(peer.name ?? DeviceText.short(peer.device))
                + " takes no new sessions of \(names) now: they wait here until it has space, or "
                + "its quota is raised there"
        }
    }

    /// The states of devices that need no dial.
    private static let linked: [Peer.State] = [.connected, .unresponsive, .throughOthers]

    private static func line(
        _ peer: Peer,
        _ address: String,
        _ failure: Peer.Failure,
        _ now: Date
    ) -> String {
        let dials = failure.dials == 1 ? "one dial" : "\(failure.dials) dials, the last"
        return TerminalText.safe(peer.name.map { "\($0) at " } ?? "")
            + TerminalText.safe("\(address): \(failure.reason) ")
            + "(\(dials) \(TerminalText.age(of: failure.at, now: now)))"
    }

    /// The row of a device, without colours.
    package static func cells(of peer: Peer) -> [String] {
        let shares = TerminalText.safe(peer.conversations.joined(separator: ", "))
        let cells = [
            TerminalText.fitted(TerminalText.safe(peer.name ?? ""), columns: 24),
            peer.state.rawValue,
            TerminalText.safe(peer.address),
            peer.rttMs.map { "\((($0 * 10).rounded()) / 10) ms" } ?? "",
            TerminalText.size(peer.queuedBytes),
            TerminalText.fitted(shares, columns: 30),
            DeviceText.short(peer.device),
        ]
        return cells.map { $0.isEmpty ? "–" : $0 }
    }
}
