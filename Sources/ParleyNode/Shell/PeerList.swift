import Foundation
package import ParleyCore
import ParleyKeys
import ParleyTransport

/// The other devices as people see them: from links, the address book, announcements and memory.
///
/// The list must be released before the next input, or the machine would be copied.
package struct PeerList {
    /// What the transport knows of a link.
    package struct Path: Sendable {
        let roundTrip: Duration?
        /// The bytes that the kernel has not taken yet.
        let queuedBytes: Int

        init(of connection: ConnectionID, in transport: Transport) {
            roundTrip = transport.roundTrip(of: connection)
            queuedBytes = transport.unwrittenBytes(of: connection)
        }
    }

    private let machine: NodeMachine
    private let announced: AnnouncedNodes
    private let acquaintances: Acquaintances
    private let now: Moment
    private let path: (LinkID) -> Path?
    private let entries: [UInt64?: [AddressBook.Entry]]

    /// Makes a list of the present moment, `now`; `path` gives nil for a link that has ended.
    package init(
        _ machine: NodeMachine,
        announced: AnnouncedNodes = AnnouncedNodes(),
        acquaintances: Acquaintances = Acquaintances(),
        at now: Moment,
        path: @escaping (LinkID) -> Path? = { _ in nil }
    ) {
        self.machine = machine
        self.announced = announced
        self.acquaintances = acquaintances
        self.now = now
        self.path = path
        entries = Dictionary(grouping: machine.dialer.book.entries, by: \.hint)
    }

    /// The members with a link, without need of a link, or with a former link.
    package func peers() -> [Peer] {
        members().map { member in
            var peer = withCard(
                withAddresses(member.peer, of: member.device.hint),
                of: member.device
            )
            peer.invitedBy = inviters(of: member.device)
            return peer
        }
    }

    /// A device with what others have passed on of it, unless a link tells more.
    private func withCard(_ peer: Peer, of device: DeviceID) -> Peer {
        guard peer.state != .connected, peer.state != .unresponsive,
            let card = machine.members.cards.latest(of: device, at: now)
        else { return peer }
        var peer = peer
        let silence = Double(card.silence(at: now).nanoseconds) / 1e9
        peer.seen = Date(timeIntervalSinceNow: -silence)
        let isLinked = machine.links.contains { $0.device == card.via && $0.isMember }
        guard isLinked, card.isPresent(at: now) else { return peer }
        peer.state = .throughOthers
        peer.through = printableName(of: card.via)
        return peer
    }

    /// The inviters of a device, by the names of conversations.
    ///
    /// Of several, inviters who have written here come first, as anybody with the relay key can
    /// invent others.
    private func inviters(of device: DeviceID) -> [String: String]? {
        var inviters: [String: String] = [:]
        for conversation in machine.conversations {
            let writers = Set(conversation.origins.values.map(\.device)).union([machine.device])
            let all = machine.members[conversation.number].admissions(of: device)
                .map { DeviceID(publicKey: $0.inviterKey, using: machine.crypto) }
            guard let inviter = all.first(where: writers.contains) ?? all.first else { continue }
            inviters[conversation.record.name] =
                printableName(of: inviter) ?? String(inviter.text.prefix(7))
        }
        return inviters.isEmpty ? nil : inviters
    }

    /// A device with its dialled addresses; `hint` is the start of its ID, nil if only an address
    /// is known.
    private func withAddresses(_ peer: Peer, of hint: UInt64?) -> Peer {
        let date = Date()
        let all = entries[hint] ?? []
        let own = hint == nil ? all.filter { $0.address.printable == peer.address } : all
        var peer = peer
        peer.addresses = own.prefix(Self.addressesMax).map { entry in
            let failure = entry.failure.map { failure in
                let age = Double((now - failure.at).nanoseconds) / 1e9
                return Peer.Failure(
                    reason: failure.reason.printableCause,
                    dials: failure.dials,
                    at: date.addingTimeInterval(-age)
                )
            }
            return Peer.Address(text: entry.address.printable, failure: failure)
        }
        return peer
    }

    /// The addresses that are listed of one device.
    private static let addressesMax = 16

    private func members() -> [(device: DeviceID, peer: Peer)] {
        let linked = memberLinks()
        var listed = Set(linked.map(\.device))
        let passive = machine.links.mesh.passiveView.peers.filter {
            listed.insert($0.device).inserted
        }
        let reachable = passive.isEmpty ? [] : machine.dialer.reachableHints
        let shared = conversationsOfMembers()
        let dialled = machine.dialer.book.members.compactMap { entry -> (DeviceID, Peer)? in
            guard let device = entry.device, listed.insert(device).inserted else { return nil }
            return (device, peer(entry, device.text, sharing: shared[device] ?? []))
        }
        let away = shared.filter { !listed.contains($0.key) }
        let others = AwayMembers.listed(away, open: machine.conversations.openNumbers)
        return linked.map { ($0.device, peer($0)) }
            + passive.map { member in
                let hint = member.device.hint
                let address = entries[hint]?.first?.address.printable ?? ""
                let isThere = reachable.contains(hint)
                return (member.device, peer(member, isThere: isThere, address: address))
            } + dialled
            + others.map { device in
                let entries = entries[device.hint] ?? []
                return (device, awayMember(device, at: entries, sharing: away[device] ?? []))
            }
    }

    /// The links to members, one for each device, preferably a link that answers.
    private func memberLinks() -> [Link] {
        var members: [Link] = []
        var indices: [DeviceID: Int] = [:]
        for link in machine.links where link.isMember {
            if let index = indices[link.device] {
                if members[index].isSuspect, !link.isSuspect { members[index] = link }
            } else {
                indices[link.device] = members.count
                members.append(link)
            }
        }
        return members
    }

    /// The conversations that each device shares, as far as links and cards tell.
    ///
    /// A device with a cursor or a name has had a link to this node.
    private func conversationsOfMembers() -> [DeviceID: [UInt32]] {
        var shared: [DeviceID: [UInt32]] = [:]
        for conversation in machine.conversations {
            let authors = Set(conversation.origins.values.map(\.device))
            var members = Set(acquaintances.met.members(of: conversation.number))
            members.formUnion(conversation.cursors.keys)
            members.formUnion(authors.filter { machine.links.name(of: $0) != nil })
            members.formUnion(machine.carded(in: conversation))
            members.remove(machine.device)
            for device in members { shared[device, default: []].append(conversation.number) }
        }
        return shared
    }

    /// The announced or linked devices, and the addresses at which others may be.
    ///
    /// `own` are the addresses of this node, also those on the loopback.
    package func nearby(except own: Set<String>) -> [Peer] {
        let linked = machine.links.filter { $0.device != machine.device }
        let hints = Set(linked.map(\.device.hint))
        let isElsewhere = { (hint: UInt64?, address: String) in
            own.contains(address)
                || hint.map { hints.contains($0) || $0 == machine.device.hint } ?? false
        }
        let announced = announced.all.filter { !isElsewhere($0.hint, $0.address) }
        let book = machine.dialer.book.entries.filter { !isElsewhere($0.hint, $0.address) }
        let others = book.filter { entry in
            !announced.contains { $0.address == entry.address }
                || entry.device != nil
                    && !announced.contains {
                        $0.address == entry.address && $0.hint == entry.hint
                    }
        }
        var found = announced.map { node in
            let entry = book.first { $0.address == node.address && $0.hint == node.hint }
            return (node.hint, peer(node, entry))
        }
        found += others.map { ($0.hint, peer($0, $0.device?.text ?? "")) }
        let members = Dictionary(members().map { ($0.device.hint, $0.peer) }) { first, _ in first }
        var listed = ListedDevices()
        return linked.map { withAddresses(peer($0), of: $0.device.hint) }
            + found.compactMap { hint, found in
                // A member without a link has the same row as in the list of members.
                var peer = hint.flatMap { members[$0] } ?? found
                peer.address = found.address
                return listed.add(hint, name: peer.name) ? withAddresses(peer, of: hint) : nil
            }
    }

    /// An announced node; `entry` is its entry in the address book.
    private func peer(_ node: AnnouncedNodes.Entry, _ entry: AddressBook.Entry?) -> Peer {
        let name = node.name.printable
        return Peer(
            device: entry?.device?.text ?? node.shortID,
            name: name.isEmpty ? nil : name,
            state: entry.map(state) ?? .discovered,
            address: node.address,
            conversations: []
        )
    }

    private func peer(_ link: Link) -> Peer {
        let path = path(link.id)
        var peer = Peer(
            device: link.device.text,
            name: printableName(of: link.device),
            state: state(link),
            address: link.address,
            conversations: link.conversations.map(machine.conversationName),
            roundTrip: path?.roundTrip,
            queuedBytes: path?.queuedBytes ?? 0
        )
        let full = link.replications.filter(\.isPeerFull)
        peer.full = full.map { machine.conversationName($0.conversation) }
        return peer
    }

    /// A member without a link, which neither side needs; `address` is empty if unknown.
    private func peer(_ member: PassiveView.Peer, isThere: Bool, address: String) -> Peer {
        Peer(
            device: member.device.text,
            name: printableName(of: member.device),
            state: isThere ? .throughOthers : .lastSeen,
            address: address,
            conversations: member.conversations.map(machine.conversationName)
        )
    }

    /// A member without a link, for which the address book has no address of an earlier link.
    ///
    /// The address is the first of `entries`, which others announced or told.
    private func awayMember(
        _ device: DeviceID,
        at entries: [AddressBook.Entry],
        sharing conversations: [UInt32]
    ) -> Peer {
        Peer(
            device: device.text,
            name: printableName(of: device),
            state: entries.contains(where: \.isDialled) ? .connecting : .lastSeen,
            address: entries.first?.address.printable ?? "",
            conversations: conversations.map(machine.conversationName)
        )
    }

    /// The state of a link: for people, only a device with a proved conversation is connected.
    private func state(_ link: Link) -> Peer.State {
        switch link.phase {
        case .member: link.isSuspect ? .unresponsive : .connected
        case .proving: machine.dialer.book.entry(at: link.address).map(found) ?? .discovered
        case .greeting, .closing: .connecting
        }
    }

    private func state(_ entry: AddressBook.Entry) -> Peer.State {
        entry.isDialled ? .connecting : entry.isMember ? .lastSeen : found(entry)
    }

    /// The source of an address whose device shares no known conversation.
    private func found(_ entry: AddressBook.Entry) -> Peer.State {
        entry.source == .configured ? .configured : .discovered
    }

    private func peer(
        _ entry: AddressBook.Entry,
        _ device: String,
        sharing conversations: [UInt32] = []
    ) -> Peer {
        Peer(
            device: device,
            name: entry.deviceName?.printable
                ?? entry.device.flatMap { printableName(of: $0) },
            state: state(entry),
            address: entry.address.printable,
            conversations: conversations.map(machine.conversationName)
        )
    }

    private func printableName(of device: DeviceID) -> String? {
        acquaintances.printableName(of: device, in: machine)
    }
}
