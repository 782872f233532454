import Logging
import ParleyCore
import ParleyDiscovery
import ParleyKeys
import ParleyStore
import ParleyTransport

/// The log of a node: one line per change, with peer, address and cause, but no message content.
///
/// A line with the same subject and cause is written at most a few times a minute; the next line
/// then says how many were left out. All lines that strangers cause share one budget.
struct NodeLog {
    private var loggers: [LogPart: Logger] = [:]
    private let seconds: @Sendable () -> UInt64
    private var gate = LogGate()
    /// The short IDs of devices that are no strangers, this node included.
    private var members: Set<String> = []
    /// The short IDs of devices whose last link ended because nothing is shared.
    private var unshared: Set<String> = []

    /// The most IDs in `members`, and in `unshared`.
    private static let membersMax = 1_024

    /// The longest cause in a line, in scalars.
    fileprivate static let causeMax = 512

    init(device: DeviceID, to output: LogOutput) {
        for part in LogPart.allCases {
            var logger = output.logger(part)
            logger[metadataKey: "node"] = "\(device.shortText)"
            loggers[part] = logger
        }
        seconds = output.seconds
        knows(device)
    }

    // MARK: Links

    /// A device is no stranger: this node's own, or in a conversation that not everybody may join.
    mutating func knows(_ device: DeviceID) {
        guard members.count < Self.membersMax else { return }
        members.insert(LoggedPeer(device, name: nil).id)
    }

    /// A change of a link; `name` is the name of the peer, if known.
    mutating func link(
        _ notice: LinkNotice,
        name: String?,
        conversation: (UInt32) -> String
    ) {
        let peer = LoggedPeer(notice.device, name: name)
        let address = notice.address
        switch notice.change {
        case .greeted(let software, let name):
            let cause = "\(name.printable) runs \(software.printable)"
            line(.links, level(of: peer), "linked", cause, of: peer, at: address)
        case .joined(let number):
            unshared.remove(peer.id)
            let name = conversation(number).printable
            line(.links, .info, "shares a conversation", "\(name), proven", of: peer, at: address)
        case .suspected:
            let cause = "silent for a second"
            line(.links, level(of: peer), "does not answer", cause, of: peer, at: address)
        case .full(let number, true):
            let name = conversation(number).printable
            let cause = "\(name): what it does not store waits here until it has space"
            line(.links, .warning, "takes no new sessions", cause, of: peer, at: address)
        case .full(let number, false):
            let name = conversation(number).printable
            line(.links, .info, "takes new sessions again", name, of: peer, at: address)
        case .closed(let cause):
            line(.links, level(of: peer), "link closed", cause.sentence, of: peer, at: address)
            guard cause.reason == .nothingShared else { break }
            if unshared.count >= Self.membersMax { unshared = [] }
            unshared.insert(peer.id)
        }
    }

    /// The level of lines about the links of a device.
    ///
    /// Nodes that share nothing meet briefly again and again, and only the first time is news.
    private func level(of peer: LoggedPeer) -> Logger.Level {
        unshared.contains(peer.id) ? .debug : .info
    }

    /// Logs the stage of a pairing, but neither the digits nor the conversation.
    mutating func pairing(_ state: PairingState) {
        let stage =
            switch state.stage {
            case .asked: "asks"
            case .waiting: "is asked"
            case .comparing(_, let isConfirmed):
                isConfirmed ? "confirmed here" : "digits are compared"
            case .ended(.done): "done"
            case .ended(.linked): "linked as own"
            case .ended(.notJoined(let error)): "not joined: \(error)"
            case .ended(let ending): "ended: \(ending)"
            }
        let device = state.device.filter { $0 != "-" }.prefix(8)
        line(.links, .info, "pairing", "\(device): \(stage)", isByStranger: true)
    }

    mutating func refused(_ peer: LoggedPeer, _ address: String, _ refusal: Refusal) {
        line(.links, .warning, "refused", refusal.sentence, of: peer, at: address)
    }

    /// A dial failed; `isNew`: for a new reason; `isConfigured`: at an address that a person gave.
    mutating func dialFailed(
        _ address: String,
        _ peer: LoggedPeer?,
        _ reason: String,
        isNew: Bool,
        isConfigured: Bool
    ) {
        let cause = "\(address): \(reason); it is dialled again and again"
        // The peer may only start later, which deserves no warning.
        let level: Logger.Level = isNew ? .info : .debug
        line(.links, level, "not reached", cause, of: peer, isByStranger: !isConfigured)
    }

    /// A connection ended before TLS was complete.
    ///
    /// Port scans and health checks connect and close all the time, which deserves no warning.
    mutating func handshakeFailed(_ reason: TransportError, from source: IPAddress?) {
        let level: Logger.Level = reason.isViolation ? .warning : .debug
        let source = source?.description ?? ""
        let cause = reason.description
        line(.links, level, "handshake failed", cause, at: source, isByStranger: true)
    }

    mutating func droppedStranger(for newcomer: SocketAddress) {
        let cause = "a stranger, for another one"
        line(.links, .warning, "dropped", cause, at: newcomer.description, isByStranger: true)
    }

    mutating func turnedAway(_ address: SocketAddress) {
        let cause = "too many strangers"
        line(.links, .warning, "turned away", cause, at: address.description, isByStranger: true)
    }

    mutating func listenerPaused(_ reason: TransportError?) {
        if let reason {
            line(.links, .warning, "not accepting connections", reason.description)
        } else {
            line(.links, .info, "accepting connections again", "descriptors are free")
        }
    }

    mutating func duplicateIdentity(_ peer: LoggedPeer, _ address: String) {
        let cause =
            "two processes use one device key: stop the copy and move its device.key away, so that "
            + "it becomes a device of its own"
        line(.links, .warning, "duplicate identity", cause, of: peer, at: address)
    }

    mutating func divergence(_ peer: LoggedPeer, buckets: Int) {
        line(.links, .warning, "contents differ", "\(buckets) buckets; repairing", of: peer)
    }

    mutating func pictureDamaged(_ blob: BlobID, chunks: Int) {
        note(
            "picture damaged",
            "\(chunks) chunks of \(Hexadecimal.text(blob.bytes).prefix(16)) changed on disk and "
                + "are left out: asking members for them",
            of: .store
        )
    }

    /// A line without a peer; `isByStranger` means that anybody may have caused it.
    mutating func note(
        _ what: String,
        _ cause: String,
        of part: LogPart = .node,
        isByStranger: Bool = false
    ) {
        line(part, .warning, what, cause, isByStranger: isByStranger)
    }

    // MARK: Operating system and store

    /// Names the source of a name that is not from the settings, and why a name could not be kept.
    mutating func named(_ name: DeviceName) {
        if name.source == .earlierStart {
            line(.node, .info, "name", "\(name.text.printable), kept from an earlier start")
        }
        if let trouble = name.trouble { line(.node, .warning, "name", trouble) }
    }

    /// A device came by an invite that ends.
    mutating func letIn(_ peer: LoggedPeer, to conversation: String, by invite: UInt32) {
        line(.links, .info, "let in", "to \(conversation.printable) by invite \(invite)", of: peer)
    }

    /// A linked device has shared a conversation, which was joined, or could not be.
    mutating func shared(_ result: Result<String, NodeError>, by peer: LoggedPeer) {
        switch result {
        case .success(let name): line(.links, .info, "joined as shared", name.printable, of: peer)
        case .failure(let error): line(.links, .warning, "not joined", "\(error)", of: peer)
        }
    }

    /// A linked device was thrown out of a conversation by one of the person's devices.
    mutating func unlinked(_ peer: LoggedPeer) {
        let cure = "thrown out of a conversation; to share again: parley person link"
        line(.links, .warning, "linked no more", cure, of: peer)
    }

    /// Somebody changed the keys of a conversation.
    mutating func keysChanged(
        _ notice: GenerationNotice,
        of conversation: String,
        by author: LoggedPeer
    ) {
        let keys = "\(conversation.printable) has keys \(notice.number)"
        if notice.hidesEarlier {
            let text =
                "\(keys): whoever joins later cannot read what was before. Other keys cure that"
            line(.node, .warning, "keys hide", text, of: author)
        }
        switch notice.standing {
        case .member: line(.node, .info, "keys changed", keys, of: author)
        case .out:
            line(.node, .warning, "thrown out", "\(keys), without this device", of: author)
        case .withoutKeys, .awaitsRecords:
            line(.node, .warning, "keys missing", "\(keys), those for this device lack", of: author)
        }
    }

    /// Names the blocked devices and the allowed devices.
    mutating func listed(_ devices: [ListedDevice]) {
        for list in [ListedDevice.List.blocked, .allowed] {
            let ids = devices.filter { $0.list == list }.map { $0.device.prefix(7) }
            guard !ids.isEmpty else { continue }
            let names = ids.joined(separator: ", ")
            line(.node, .info, "devices", "\(ids.count) \(list.rawValue): \(names)")
        }
    }

    mutating func changed(_ change: DeviceChange) {
        let previous = change.previous.map { "device \($0.text)" } ?? "another device"
        note(
            "device changed",
            "the data directory was \(previous) and has another key: conversations and "
                + "messages stay, and what was written before is by another participant. If this "
                + "was not meant, stop the node and put the earlier device.key back"
        )
    }

    mutating func networkChanged(_ what: String) { line(.node, .info, "network changed", what) }

    mutating func notWatching(_ error: TransportError) {
        line(.node, .warning, "network is not watched", error.description)
    }

    mutating func storeFailed(_ error: StoreError) {
        line(.store, .warning, "store failed", "\(error)")
    }

    mutating func storeWorks() { line(.store, .info, "store works again") }

    mutating func damage(_ reports: DamageReports) {
        for report in reports.first { line(.store, .warning, "store", report.description) }
    }

    /// The value of a read, or nil after logging its error.
    mutating func readable<Value>(_ result: Result<Value, StoreError>) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            line(.store, .warning, "store cannot read", "\(error)")
            return nil
        }
    }

    // MARK: Discovery

    mutating func discoveryOff(_ why: String) { line(.discovery, .warning, "discovery", why) }

    /// A service was announced at an address that nobody can dial.
    mutating func announcementUnusable(_ error: AddressError) {
        let cause = "an address cannot be used: \(error.description)"
        line(.discovery, .warning, "announcement", cause, isByStranger: true)
    }

    mutating func discovery(_ event: DiscoveryEvent) {
        switch event {
        case .found(let service):
            let name = service.deviceName.printable
            let peer = LoggedPeer(announced: service.shortID, name: name)
            line(.discovery, .debug, "found", "announced", of: peer, at: service.interfaceName)
        case .lost(let sighting, let shortID, _):
            let (peer, place) = (LoggedPeer(announced: shortID, name: nil), sighting.interfaceName)
            line(.discovery, .debug, "no longer announced", "a hint only", of: peer, at: place)
        case .stateChanged(let state): line(.discovery, .info, "discovery", state.sentence)
        case .interfaceSkipped(let name, let reason):
            line(.discovery, .info, "interface skipped", "\(reason)", at: name)
        case .collision(let name, let newName):
            let cause = newName.map { "announced as \($0)" } ?? "gave up"
            line(.discovery, .warning, "name taken", cause, at: name, isByStranger: true)
        case .refused(let name, let error):
            let what = "announcement refused"
            line(.discovery, .warning, what, "\(error)", at: name, isByStranger: true)
        case .warning(let warning): line(.discovery, .warning, "discovery", warning.sentence)
        }
    }

    // MARK: Lines

    private mutating func line(
        _ part: LogPart,
        _ level: Logger.Level,
        _ what: String,
        _ cause: String = "",
        of peer: LoggedPeer? = nil,
        at location: String = "",
        isByStranger: Bool = false
    ) {
        guard let logger = loggers[part], level >= logger.logLevel else { return }
        // All text enters the log here, from wherever, and is escaped here.
        let location = PrintableText.escaped(location)
        let cause = cause.printableCause
        let seconds = seconds()
        let unsaid = gate.takeStrangersLeftOut(at: seconds)
        if unsaid > 0 {
            logger.warning("strangers: \(unsaid) lines because of them were left out in a minute")
        }
        let line = "\(what)|\(peer?.id ?? "")|\(cause)"
        let isByStranger = isByStranger || peer.map { !members.contains($0.id) } ?? false
        guard let leftOut = gate.pass(line, isByStranger: isByStranger, at: seconds) else { return }
        var metadata: Logger.Metadata = [:]
        if let peer {
            metadata["peer"] = "\(peer.id)"
            if let name = peer.name { metadata["name"] = "\"\(name)\"" }
        }
        if !location.isEmpty { metadata["at"] = "\(location)" }
        if leftOut > 0 { metadata["leftOut"] = "\(leftOut)" }
        logger.log(
            level: level,
            "\(what)\(cause.isEmpty ? "" : ": \(cause)")",
            metadata: metadata
        )
    }
}

/// A peer in a log line: the short ID, which `parley peers` prints too, and the name.
struct LoggedPeer {
    let id: String
    /// Printable and without quotation marks, so that it cannot look like another field.
    let name: String?

    /// A peer whose ID is proven.
    init(_ device: DeviceID, name: String?) {
        self.init(announced: device.shortText, name: name)
    }

    /// A peer with the ID that an announcement claims.
    init(announced id: String, name: String?) {
        self.id = String(id.prefix(8))
        let printable = name?.printable.filter { $0 != "\"" } ?? ""
        self.name = printable.isEmpty ? nil : printable
    }
}

extension String {
    /// The text with unprintable characters escaped, and short enough for a log line.
    var printable: String { PrintableText.escaped(self, scalarsMax: 64) }

    /// The same for a cause, which is a sentence.
    var printableCause: String { PrintableText.escaped(self, scalarsMax: NodeLog.causeMax) }
}

extension CloseCause {
    /// The cause as text for a log line.
    var sentence: String {
        switch self {
        case .said(let reason, let text): "we said \(reason)\(text.isEmpty ? "" : " (\(text))")"
        case .heard(let reason, let text):
            "the peer said \(reason)\(text.isEmpty ? "" : " (\(text.printable))")"
        case .lost(let reason): reason
        }
    }
}

extension DiscoveryState {
    /// For people.
    var sentence: String {
        switch self {
        case .stopped: "off"
        case .waitingForBus: "waiting for a D-Bus system bus"
        case .waitingForDaemon: "waiting for avahi-daemon"
        case .waitingForHostName: "avahi-daemon chooses a host name"
        case .running: "browsing"
        case .noInterface: "not announced: no interface fits --interface and --listen"
        case .published(let name): "published as \(name)"
        }
    }
}

extension DiscoveryWarning {
    /// For people.
    var sentence: String {
        switch self {
        case .unavailable(let cause):
            "no avahi-daemon (\(cause)): only addresses given with --peer and those that peers "
                + "sent are dialled; start it with: \(DiscoveryRemedy.startDaemon)"
        case .browseFailed(let cause): "browsing failed (\(cause)) and will be retried"
        case .publishFailed(let cause): "the node could not be announced (\(cause))"
        case .noInterfaceAllowed: "no interface fits --interface and --listen"
        case .servicesDropped(let count): "\(count) announcements over the limit were dropped"
        case .refusalsCounted(let count): "\(count) more announcements were refused"
        }
    }
}
