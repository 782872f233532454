import CoreMetrics
import Foundation
package import ParleyCore
import ParleyKeys
import ParleyStore
import ParleyTransport

/// The news of a node: lines of its log, counts, and events for listeners.
package struct NodeNews {
    private let device: DeviceID
    var log: NodeLog
    var metrics = NodeMetrics()
    package var listeners = Followers()
    package private(set) var acquaintances = Acquaintances()
    package private(set) var symptoms = Symptoms()
    package private(set) var pairings = ReportedPairings()

    /// Nothing has happened yet.
    package init(device: DeviceID, log output: LogOutput) {
        self.device = device
        log = NodeLog(device: device, to: output)
    }

    // MARK: Deliveries

    /// A delivery of the machine, other than those with functions of their own.
    package mutating func happened(_ delivery: Delivery, in machine: NodeMachine) {
        let name = { (number: UInt32) in machine.conversationName(number) }
        let isOpen = { (number: UInt32) in machine.isOpen(number) }
        switch delivery {
        case .conflict(let conflict):
            if conflict.heads.count > 1 { metrics.count(.conflicts) }
        case .outOfTurn(let number, _, let dot, _):
            log.note("out of turn", dot.description, isByStranger: isOpen(number))
        case .equivocation(let number, _, let dot):
            log.note("equivocation", dot.description, isByStranger: isOpen(number))
        case .full(let number, let shortage):
            log.note("conversation full", shortage.sentence(in: name(number)))
        case .headDropped(let number, _, let dot):
            log.note("too many heads", "\(dot) was dropped", isByStranger: isOpen(number))
        case .blobDamaged(_, let blob, let chunks):
            metrics.count(.damage)
            log.pictureDamaged(blob, chunks: chunks)
        case .refused(_, let device, let address, let refusal):
            metrics.refused(refusal)
            log.refused(peer(device, in: machine), address, refusal)
        case .duplicateIdentity(let device, let address):
            symptoms.duplicate(at: address, isOwn: device == self.device)
            if device == self.device { metrics.count(.copies) }
            log.duplicateIdentity(peer(device, in: machine), address)
            listeners.emit(.duplicateIdentity(device: device.text, address: address))
        case .divergence(_, let device, let buckets):
            metrics.count(.divergences)
            log.divergence(peer(device, in: machine), buckets: buckets)
        case .damaged(let row, let what):
            metrics.count(.damage)
            log.note("damaged session", "row \(row): \(what)", of: .store)
        case .letIn(let number, let device, let invite):
            log.letIn(peer(device, in: machine), to: name(number), by: invite)
            listeners.emit(.conversationsChanged)
        case .admissions: listeners.emit(.conversationsChanged)
        case .generation(let notice):
            let author = peer(notice.author, in: machine)
            log.keysChanged(notice, of: name(notice.conversation), by: author)
            listeners.emit(.conversationsChanged)
        case .rotated, .answer, .linked, .delivered, .shown, .signal, .blobArrived, .link, .pairing,
            .shared, .knocked:
            break
        }
        guard !listeners.isEmpty else { return }
        for event in MessageReader(machine).events(of: delivery) { listeners.emit(event) }
    }

    /// A link has changed.
    package mutating func changed(_ notice: LinkNotice, in machine: NodeMachine, at now: Moment) {
        let device = notice.device
        if case .joined(let number) = notice.change, !machine.isOpen(number) { log.knows(device) }
        log.link(
            notice,
            name: acquaintances.printableName(of: device, in: machine),
            conversation: machine.conversationName
        )
        acquaintances.note(
            notice.change,
            of: device,
            at: notice.address,
            now,
            isOpen: machine.isOpen
        )
        switch notice.change {
        case .greeted, .suspected, .full: break
        case .joined: listeners.emit(.peerChanged(device: device.text, isConnected: true))
        case .closed:
            metrics.count(.linksClosed)
            listeners.emit(.peerChanged(device: device.text, isConnected: false))
        }
    }

    /// The message of a session is shown, and its envelope is here.
    package mutating func shown(_ view: SessionView, by reader: MessageReader) {
        guard let event = reader.shown(view), case .shown(_, let message) = event else { return }
        let (date, sender) = (message.sentAt, message.sender)
        if sender.device != device.text,
            let ahead = symptoms.shown(sentAt: date, by: sender, at: Date())
        {
            log.note("clock", ahead.sentence)
        }
        listeners.emit(event)
    }

    /// A pairing has come to another stage; `isUnderWay` says whether the machine is pairing.
    package mutating func paired(_ state: PairingState, isUnderWay: Bool) {
        log.pairing(state)
        guard pairings.changed(state, isUnderWay: isUnderWay) else { return }
        listeners.emit(.pairing(state))
    }

    /// A person does not want to see the end of a pairing any more.
    mutating func forgetPairing(_ id: String) { pairings.forget(id) }

    /// A linked device has shared a conversation, which was joined, or could not be.
    mutating func shared(
        _ result: Result<String, NodeError>,
        by device: DeviceID,
        in machine: NodeMachine
    ) {
        log.shared(result, by: peer(device, in: machine))
    }

    /// A linked device was thrown out of a conversation by one of the person's devices.
    mutating func unlinked(_ device: DeviceID, in machine: NodeMachine) {
        log.unlinked(peer(device, in: machine))
    }

    private func peer(_ device: DeviceID, in machine: NodeMachine) -> LoggedPeer {
        LoggedPeer(device, name: acquaintances.printableName(of: device, in: machine))
    }

    // MARK: Connections and the store

    /// A connection ended before it was a link.
    mutating func handshakeFailed(_ reason: TransportError, from source: IPAddress?) {
        metrics.count(.handshakesFailed)
        log.handshakeFailed(reason, from: source)
    }

    /// The connection of a stranger was ended for that of another one.
    mutating func droppedStranger(for newcomer: SocketAddress) {
        metrics.count(.handshakesFailed)
        log.droppedStranger(for: newcomer)
    }

    /// A node has connected to this one from `remote`, or was reached by a dial if that is nil.
    mutating func opened(from remote: SocketAddress?) {
        metrics.count(.linksOpened)
        if let remote { symptoms.visited(from: remote, at: Date()) }
    }

    /// A dial failed; the log names each reason once until the address is reached.
    mutating func dialFailed(
        _ address: String,
        _ reason: String,
        in machine: NodeMachine,
        announced: AnnouncedNodes
    ) {
        metrics.count(.dialsFailed)
        let entry = machine.dialer.book.entry(at: address)
        let claimed = announced.all.first { $0.address == address }
        log.dialFailed(
            address,
            entry?.device.map { peer($0, in: machine) }
                ?? claimed.map { LoggedPeer(announced: $0.shortID, name: $0.name) },
            reason,
            isNew: entry?.failure?.reason != reason,
            isConfigured: entry?.source == .configured
        )
    }

    /// The store found something damaged and left it out.
    mutating func damaged(_ reports: DamageReports) {
        metrics.count(.damage, by: reports.count)
        log.damage(reports)
    }

    /// This node has left a conversation.
    mutating func left(_ conversation: UInt32) {
        acquaintances.left(conversation)
        listeners.emit(.conversationsChanged)
    }
}

extension NodeMachine {
    /// Whether everybody may join a conversation.
    func isOpen(_ number: UInt32) -> Bool { conversation(number)?.record.isOpen ?? true }
}
