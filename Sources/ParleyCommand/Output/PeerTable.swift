package import ParleyAPI

/// Devices in a table; a dash stands for what is not known.
package enum PeerTable {
    private static let titles = ["NAME", "STATE", "ADDRESS", "RTT", "QUEUE", "SHARES", "DEVICE"]

    static func table(_ peers: [PeerDocument], on output: Output) -> TextTable {
        var table = TextTable(titles)
        for peer in peers {
            var cells = cells(of: peer)
            cells[1] = output.style(peer.state == "connected" ? .green : .dim, cells[1])
            table.add(cells)
        }
        return table
    }

    /// The row of a device, without colours.
    package static func cells(of peer: PeerDocument) -> [String] {
        let shares = TerminalText.safe(peer.conversations.joined(separator: ", "))
        let cells = [
            TerminalText.fitted(TerminalText.safe(peer.name ?? ""), columns: 24),
            peer.state,
            TerminalText.safe(peer.address),
            peer.rttMs.map { "\((($0 * 10).rounded()) / 10) ms" } ?? "",
            TerminalText.size(peer.queue),
            TerminalText.fitted(shares, columns: 30),
            DeviceText.short(peer.device),
        ]
        return cells.map { $0.isEmpty ? "–" : $0 }
    }
}
