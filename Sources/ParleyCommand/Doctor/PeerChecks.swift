import Foundation
import ParleyAPI
import ParleyDiscovery
import ParleyTransport

/// The checks of one other device: known facts, and a dial to each address.
struct PeerChecks {
    /// The name, the beginning of an ID, or an address.
    let text: String
    let view: NodeView
    let network: NetworkView

    func findings() async -> [Finding] {
        let devices = view.devices(text)
        var findings: [Finding] = []
        for device in devices { findings += await self.findings(of: device) }
        guard devices.isEmpty else { return findings }
        if let address = try? SocketAddress(parsing: text) {
            return [await self.address(address, of: nil)]
        }
        let announced = network.services.compactMap { service in
            network.address(of: service).flatMap { address in
                service.deviceName == text || NodeView.isAt("\(address)", text) ? address : nil
            }
        }
        for address in Set(announced) {
            findings.append(await self.address(address, of: nil))
        }
        guard findings.isEmpty else { return findings }
        guard view.status != nil else { return [Finding("peer", .skipped, view.problem.message)] }
        let cure = "parley nearby   # lists names and addresses; any other address is HOST:PORT"
        return [Finding("peer", .critical, "no device or address \(text) is known", cure: cure)]
    }

    private func findings(of device: Peer) async -> [Finding] {
        let name = device.name ?? (device.device.isEmpty ? device.address : device.device)
        let shares = device.conversations.joined(separator: ", ")
        var details = ["device \(device.device)", "address \(device.address)"]
        if let time = device.rttMs { details.append("round trip \(time) ms") }
        details.append("\(device.queuedBytes) bytes wait for it")
        let state: Finding.State =
            switch device.state {
            case .connected, .throughOthers: .ok
            case .unresponsive: .critical
            default: .warning
            }
        let words = "\(name) is \(device.state), and shares \(shares.isEmpty ? "nothing" : shares)"
        var findings = [Finding("peer", state, words, details: details)]
        let known = device.addresses.compactMap { try? SocketAddress(parsing: $0.text) }
        let prefix = DeviceText.short(device.device).lowercased()
        let announced = network.services
            .filter { !prefix.isEmpty && $0.shortID.lowercased().hasPrefix(prefix) }
            .compactMap(network.address)
        var seen: Set<SocketAddress> = []
        for address in known + announced where seen.insert(address).inserted {
            findings.append(await self.address(address, of: device))
        }
        if seen.isEmpty {
            let words = "no address is known at which \(name) listens: it has dialled this node"
            findings.append(Finding("peer-address", .skipped, words))
        }
        return findings
    }

    /// Connects to an address, and reports the node's own failures there.
    private func address(_ address: SocketAddress, of device: Peer?) async -> Finding {
        let known = device?.addresses.first { $0.text == "\(address)" }?.failure
        let dials = known.map { failure in
            "; the node dialled it \(failure.dials) times in vain, "
                + "\(TerminalText.age(of: failure.at)): \(failure.reason)"
        }
        let check = "peer-address"
        guard let failure = await NetworkView.failures(at: [address])[0] else {
            let state: Finding.State = known == nil ? .ok : .warning
            return Finding(check, state, "\(address) accepts connections\(dials ?? "")")
        }
        // One address is enough, as some addresses of devices lead nowhere.
        let isLinked = [.connected, .throughOthers].contains(device?.state)
        return Finding(
            check,
            isLinked ? .skipped : .critical,
            "\(address): \(failure)\(dials ?? "")",
            cure: isLinked ? nil : Self.cure(failure, at: address)
        )
    }

    private static func cure(_ failure: String, at address: SocketAddress) -> String {
        switch failure {
        case TransportError.refused.description:
            "parley status   # there: a node that runs, or a firewall that rejects"
        case TransportError.unreachable.description: "ip route get \(address.ip)"
        default: "parley doctor   # there: its firewall or the network drops the port"
        }
    }
}
