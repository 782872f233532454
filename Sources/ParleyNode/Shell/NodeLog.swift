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
            line(.links, level(of: peer), "linked", peer, address, cause)
        case .joined(let number):
            unshared.remove(peer.id)
            let name = conversation(number).printable
            info(.links, "shares a conversation", peer, address, "\(name), proven")
        case .suspected:
            line(.links, level(of: peer), "does not answer", peer, address, "silent for a second")
        case .full(let number, true):
            let name = conversation(number).printable
            let cause = "\(name): what it does not store waits here until it has space"
            warn(.links, "takes no new sessions", peer, address, cause)
        case .full(let number, false):
            info(.links, "takes new sessions again", peer, address, conversation(number).printable)
        case .closed(let cause):
            line(.links, level(of: peer), "link closed", peer, address, cause.sentence)
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
            case .ended(.notJoined(let error)): "not joined: \(error)"
            case .ended(let ending): "ended: \(ending)"
            }
        info(
            .links,
            "pairing",
            nil,
            "",
            "\(state.device.filter { $0 != "-" }.prefix(8)): \(stage)",
            isByStranger: true
        )
    }

    mutating func refused(_ peer: LoggedPeer, _ address: String, _ refusal: Refusal) {
        warn(.links, "refused", peer, address, refusal.sentence)
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
        line(.links, level, "not reached", peer, "", cause, isByStranger: !isConfigured)
    }

    /// A connection ended before TLS was complete.
    ///
    /// Port scans and health checks connect and close all the time, which deserves no warning.
    mutating func handshakeFailed(_ reason: TransportError, from source: IPAddress?) {
        let location = source?.description ?? ""
        if reason.isViolation {
            warn(.links, "handshake failed", nil, location, reason.description, isByStranger: true)
        } else {
            debug(.links, "handshake failed", nil, location, reason.description, isByStranger: true)
        }
    }

    mutating func droppedStranger(for newcomer: SocketAddress) {
        let cause = "a stranger, for another one"
        warn(.links, "dropped", nil, newcomer.description, cause, isByStranger: true)
    }

    mutating func turnedAway(_ address: SocketAddress) {
        warn(
            .links,
            "turned away",
            nil,
            address.description,
            "too many strangers",
            isByStranger: true
        )
    }

    mutating func listenerPaused(_ reason: TransportError?) {
        if let reason {
            warn(.links, "not accepting connections", nil, "", reason.description)
        } else {
            info(.links, "accepting connections again", nil, "", "descriptors are free")
        }
    }

    mutating func duplicateIdentity(_ peer: LoggedPeer, _ address: String) {
        warn(
            .links,
            "duplicate identity",
            peer,
            address,
            "two processes use one device key: stop the copy and move its device.key away, so that "
                + "it becomes a device of its own"
        )
    }

    mutating func divergence(_ peer: LoggedPeer, buckets: Int) {
        warn(.links, "contents differ", peer, "", "\(buckets) buckets; repairing")
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
        warn(part, what, nil, "", cause, isByStranger: isByStranger)
    }

    // MARK: Operating system and store

    /// Names the source of a name that is not from the settings, and why a name could not be kept.
    mutating func named(_ name: DeviceName) {
        if name.source == .earlierStart {
            info(.node, "name", nil, "", "\(name.text.printable), kept from an earlier start")
        }
        if let trouble = name.trouble { warn(.node, "name", nil, "", trouble) }
    }

    /// Names the blocked devices and the allowed devices.
    mutating func listed(_ devices: [ListedDevice]) {
        for list in [ListedDevice.List.blocked, .allowed] {
            let ids = devices.filter { $0.list == list }.map { $0.device.prefix(7) }
            guard !ids.isEmpty else { continue }
            info(
                .node,
                "devices",
                nil,
                "",
                "\(ids.count) \(list.rawValue): \(ids.joined(separator: ", "))"
            )
        }
    }

    mutating func changed(_ change: DeviceChange) {
        let previous = change.previous.map { "device \($0.text)" } ?? "another device"
        warn(
            .node,
            "device changed",
            nil,
            "",
            "the data directory was \(previous) and has another key: conversations and "
                + "messages stay, and what was written before is by another participant. If this "
                + "was not meant, stop the node and put the earlier device.key back"
        )
    }

    mutating func networkChanged(_ what: String) { info(.node, "network changed", nil, "", what) }

    mutating func notWatching(_ error: TransportError) {
        warn(.node, "network is not watched", nil, "", error.description)
    }

    mutating func storeFailed(_ error: StoreError) {
        warn(.store, "store failed", nil, "", "\(error)")
    }

    mutating func storeWorks() { info(.store, "store works again", nil, "", "") }

    mutating func damage(_ reports: DamageReports) {
        for report in reports.first { warn(.store, "store", nil, "", report.description) }
    }

    /// The value of a read, or nil after logging its error.
    mutating func readable<Value>(_ result: Result<Value, StoreError>) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            warn(.store, "store cannot read", nil, "", "\(error)")
            return nil
        }
    }

    // MARK: Discovery

    mutating func discoveryOff(_ why: String) { warn(.discovery, "discovery", nil, "", why) }

    /// A service was announced at an address that nobody can dial.
    mutating func announcementUnusable(_ error: AddressError) {
        let cause = "an address cannot be used: \(error.description)"
        warn(.discovery, "announcement", nil, "", cause, isByStranger: true)
    }

    mutating func discovery(_ event: DiscoveryEvent) {
        switch event {
        case .found(let service):
            debug(
                .discovery,
                "found",
                LoggedPeer(announced: service.shortID, name: service.deviceName.printable),
                service.interfaceName,
                "announced"
            )
        case .lost(let sighting, let shortID, _):
            debug(
                .discovery,
                "no longer announced",
                LoggedPeer(announced: shortID, name: nil),
                sighting.interfaceName,
                "a hint only"
            )
        case .stateChanged(let state): info(.discovery, "discovery", nil, "", state.sentence)
        case .interfaceSkipped(let name, let reason):
            info(.discovery, "interface skipped", nil, name, "\(reason)")
        case .collision(let name, let newName):
            let cause = newName.map { "announced as \($0)" } ?? "gave up"
            warn(.discovery, "name taken", nil, name, cause, isByStranger: true)
        case .refused(let name, let error):
            warn(.discovery, "announcement refused", nil, name, "\(error)", isByStranger: true)
        case .warning(let warning): warn(.discovery, "discovery", nil, "", warning.sentence)
        }
    }

    // MARK: Lines

    private mutating func info(
        _ part: LogPart,
        _ what: String,
        _ peer: LoggedPeer?,
        _ location: String,
        _ cause: String,
        isByStranger: Bool = false
    ) {
        line(part, .info, what, peer, location, cause, isByStranger: isByStranger)
    }

    private mutating func warn(
        _ part: LogPart,
        _ what: String,
        _ peer: LoggedPeer?,
        _ location: String,
        _ cause: String,
        isByStranger: Bool = false
    ) {
        line(part, .warning, what, peer, location, cause, isByStranger: isByStranger)
    }

    private mutating func debug(
        _ part: LogPart,
        _ what: String,
        _ peer: LoggedPeer?,
        _ location: String,
        _ cause: String,
        isByStranger: Bool = false
    ) {
        line(part, .debug, what, peer, location, cause, isByStranger: isByStranger)
    }

    private mutating func line(
        _ part: LogPart,
        _ level: Logger.Level,
        _ what: String,
        _ peer: LoggedPeer?,
        _ location: String,
        _ cause: String,
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
