import Dispatch
import Logging
import ParleyCore
import ParleyDiscovery
import ParleyKeys
import ParleyStore
import ParleyTransport

/// The log of a node: one line per change, with its peer, address and cause, and never the content
/// of messages.
///
/// A line with the same subject and cause is written at most a few times a minute; the next one
/// then says how many were left out.
struct NodeLog {
    private let logger: Logger
    private var gate = LogGate()
    /// The addresses of the settings of which the log has said that a dial failed.
    private var unreached: Set<String> = []

    /// The longest cause in a line, in scalars.
    private static let causeMax = 512

    init(device: DeviceID) {
        var logger = Logger(label: "parley.node")
        logger[metadataKey: "node"] = "\(device.shortText)"
        self.logger = logger
    }

    // MARK: Links

    /// `name` is that of the peer, nil if this node does not know it.
    mutating func link(_ notice: LinkNotice, name: String?) {
        let peer = LoggedPeer(notice.device, name: name)
        switch notice.change {
        case .greeted(let software, let name):
            info("linked", peer, notice.address, "\(name.printable) runs \(software.printable)")
        case .joined:
            info("shares a conversation", peer, notice.address, "proven")
        case .suspected:
            info("does not answer", peer, notice.address, "silent for a second")
        case .closed(let cause):
            info("link closed", peer, notice.address, cause.sentence)
        }
    }

    /// The digits and the conversation are not for the log.
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
        info("pairing", nil, "", "\(state.device.filter { $0 != "-" }.prefix(8)): \(stage)")
    }

    mutating func refused(_ peer: LoggedPeer, _ address: String, _ refusal: Refusal) {
        warn("refused", peer, address, refusal.sentence)
    }

    /// A dial failed; `isConfigured` says that a person gave the address, who is told once.
    mutating func dialFailed(_ address: String, _ reason: String, isConfigured: Bool) {
        guard isConfigured, unreached.insert(address).inserted else {
            return debug("dial failed", nil, address, reason)
        }
        // It may only start later, so that is nothing to warn of.
        info("peer not reached", nil, address, "\(reason); it is dialled again and again")
    }

    /// A connection ended before TLS was complete.
    ///
    /// Port scans and health checks connect and close all the time, so that is nothing to warn of.
    mutating func handshakeFailed(_ reason: TransportError, from source: IPAddress?) {
        let location = source?.description ?? ""
        if reason.isViolation {
            warn("handshake failed", nil, location, reason.description)
        } else {
            debug("handshake failed", nil, location, reason.description)
        }
    }

    mutating func droppedStranger(for newcomer: SocketAddress) {
        warn("dropped", nil, newcomer.description, "an idle stranger, for another one")
    }

    mutating func turnedAway(_ address: SocketAddress) {
        warn("turned away", nil, address.description, "too many strangers")
    }

    mutating func listenerRests(_ reason: TransportError?) {
        if let reason {
            warn("not accepting connections", nil, "", reason.description)
        } else {
            info("accepting connections again", nil, "", "descriptors are free")
        }
    }

    mutating func duplicateIdentity(_ peer: LoggedPeer, _ address: String) {
        warn(
            "duplicate identity",
            peer,
            address,
            "two processes use one device key: stop the copy and move its device.key away, so that "
                + "it becomes a device of its own"
        )
    }

    mutating func divergence(_ peer: LoggedPeer, buckets: Int) {
        warn("contents differ", peer, "", "\(buckets) buckets; repairing")
    }

    mutating func pictureDamaged(_ blob: BlobID, chunks: Int) {
        note(
            "picture damaged",
            "\(chunks) chunks of \(Hexadecimal.text(blob.bytes).prefix(16)) changed on disk and "
                + "are left out: asking members for them"
        )
    }

    mutating func note(_ what: String, _ cause: String) {
        warn(what, nil, "", cause)
    }

    // MARK: Operating system and store

    /// Says where the name comes from if it is not the one of the settings, and why a name could
    /// not be kept.
    mutating func named(_ name: DeviceName) {
        if name.source == .earlierStart {
            info("name", nil, "", "\(name.text.printable), kept from an earlier start")
        }
        if let trouble = name.trouble { warn("name", nil, "", trouble) }
    }

    mutating func changed(_ change: DeviceChange) {
        let previous = change.previous.map { "device \($0.text)" } ?? "another device"
        warn(
            "device changed",
            nil,
            "",
            "the data directory was \(previous) and has another key: conversations and "
                + "messages stay, and what was written before is by another participant. If this "
                + "was not meant, stop the node and put the earlier device.key back"
        )
    }

    mutating func networkChanged(_ what: String) { info("network changed", nil, "", what) }

    mutating func notWatching(_ error: TransportError) {
        warn("network is not watched", nil, "", error.description)
    }

    mutating func storeFailed(_ error: StoreError) { warn("store failed", nil, "", "\(error)") }

    mutating func storeWorks() { info("store works again", nil, "", "") }

    mutating func damage(_ reports: DamageReports) {
        for report in reports.first { warn("store", nil, "", report.description) }
    }

    /// The value of a read, or nil after logging its error.
    mutating func readable<Value>(_ result: Result<Value, StoreError>) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            warn("store cannot read", nil, "", "\(error)")
            return nil
        }
    }

    // MARK: Discovery

    mutating func discoveryOff(_ why: String) { warn("discovery", nil, "", why) }

    /// A service was announced at an address that nobody can dial.
    mutating func announcementUnusable(_ error: AddressError) {
        warn("announcement", nil, "", "an address cannot be used: \(error.description)")
    }

    mutating func discovery(_ event: DiscoveryEvent) {
        switch event {
        case .found(let service):
            debug(
                "found",
                LoggedPeer(announced: service.shortID, name: service.deviceName.printable),
                service.interfaceName,
                "announced"
            )
        case .lost(let sighting, let shortID, _):
            debug(
                "no longer announced",
                LoggedPeer(announced: shortID, name: nil),
                sighting.interfaceName,
                "a hint only"
            )
        case .stateChanged(let state): info("discovery", nil, "", state.sentence)
        case .interfaceSkipped(let name, let reason):
            info("interface skipped", nil, name, "\(reason)")
        case .collision(let name, let newName):
            warn("name taken", nil, name, newName.map { "announced as \($0)" } ?? "gave up")
        case .refused(let name, let error): warn("announcement refused", nil, name, "\(error)")
        case .warning(let warning): warn("discovery", nil, "", warning.sentence)
        }
    }

    // MARK: Lines

    private mutating func info(
        _ what: String,
        _ peer: LoggedPeer?,
        _ location: String,
        _ cause: String
    ) {
        line(.info, what, peer, location, cause)
    }

    private mutating func warn(
        _ what: String,
        _ peer: LoggedPeer?,
        _ location: String,
        _ cause: String
    ) {
        line(.warning, what, peer, location, cause)
    }

    private mutating func debug(
        _ what: String,
        _ peer: LoggedPeer?,
        _ location: String,
        _ cause: String
    ) {
        line(.debug, what, peer, location, cause)
    }

    private mutating func line(
        _ level: Logger.Level,
        _ what: String,
        _ peer: LoggedPeer?,
        _ location: String,
        _ cause: String
    ) {
        guard level >= logger.logLevel else { return }
        // The one edge at which text enters the log, wherever it came from.
        let location = PrintableText.escaped(location)
        let cause = PrintableText.escaped(cause, scalarsMax: Self.causeMax)
        let seconds = DispatchTime.now().uptimeNanoseconds / 1_000_000_000
        let line = "\(what)|\(peer?.id ?? "")|\(cause)"
        guard let leftOut = gate.pass(line, at: seconds) else { return }
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

/// A peer in a log line: the short form of its ID, which `parley peers` prints too, and its name.
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

/// Limits the number of equal log lines per minute.
struct LogGate {
    private struct Window {
        var start: UInt64
        var passed: Int
        var leftOut: Int
    }

    private var windows: [String: Window] = [:]

    /// Equal lines that pass per minute.
    static let perMinute = 6
    /// Different lines that are counted at a time; beyond that, all counts are reset.
    static let countMax = 1_024

    /// Whether to write `line`: returns how many equal lines were left out before it, or nil if it
    /// is left out too.
    mutating func pass(_ line: String, at seconds: UInt64) -> Int? {
        if windows[line] == nil, windows.count >= Self.countMax { windows = [:] }
        var window = windows[line] ?? Window(start: seconds, passed: 0, leftOut: 0)
        var leftOut = 0
        if seconds >= window.start + 60 {
            leftOut = window.leftOut
            window = Window(start: seconds, passed: 0, leftOut: 0)
        }
        guard window.passed < Self.perMinute else {
            window.leftOut += 1
            windows[line] = window
            return nil
        }
        window.passed += 1
        windows[line] = window
        return leftOut
    }
}

extension String {
    /// The text with everything escaped that is not printable, and short enough for a log line.
    var printable: String { PrintableText.escaped(self, scalarsMax: 64) }
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
        case .noInterfaceAllowed: "--interface allows no existing interface"
        case .servicesDropped(let count): "\(count) announcements over the limit were dropped"
        case .refusalsCounted(let count): "\(count) more announcements were refused"
        }
    }
}
