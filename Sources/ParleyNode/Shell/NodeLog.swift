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

    init(device: DeviceID) {
        var logger = Logger(label: "parley.node")
        logger[metadataKey: "node"] = "\(device.shortText)"
        self.logger = logger
    }

    // MARK: Links

    mutating func link(_ notice: LinkNotice) {
        let peer = notice.device.shortText
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

    mutating func refused(_ device: DeviceID, _ address: String, _ refusal: Refusal) {
        warn("refused", device.shortText, address, refusal.sentence)
    }

    mutating func dialFailed(_ address: String, _ reason: String) {
        debug("dial failed", "", address, reason)
    }

    mutating func handshakeFailed(_ reason: TransportError, from source: IPAddress?) {
        warn("handshake failed", "", source?.description ?? "", reason.description)
    }

    mutating func turnedAway(_ address: SocketAddress) {
        warn("turned away", "", address.description, "too many strangers")
    }

    mutating func listenerRests(_ reason: TransportError?) {
        if let reason {
            warn("not accepting connections", "", "", reason.description)
        } else {
            info("accepting connections again", "", "", "descriptors are free")
        }
    }

    mutating func duplicateIdentity(_ device: DeviceID, _ address: String) {
        warn(
            "duplicate identity",
            device.shortText,
            address,
            "two processes use one device key: give the copy a key of its own by removing its "
                + "data directory"
        )
    }

    mutating func divergence(_ device: DeviceID, buckets: Int) {
        warn("contents differ", device.shortText, "", "\(buckets) buckets; repairing")
    }

    mutating func note(_ what: String, _ cause: String) {
        warn(what, "", "", cause)
    }

    // MARK: Operating system and store

    mutating func networkChanged(_ what: String) { info("network changed", "", "", what) }

    mutating func notWatching(_ error: TransportError) {
        warn("network is not watched", "", "", error.description)
    }

    mutating func storeFailed(_ error: StoreError) { warn("store failed", "", "", "\(error)") }

    mutating func storeWorks() { info("store works again", "", "", "") }

    mutating func damage(_ reports: DamageReports) {
        for report in reports.first { warn("store", "", "", report.description) }
    }

    /// The value of a read, or nil after logging its error.
    mutating func readable<Value>(_ result: Result<Value, StoreError>) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            warn("store cannot read", "", "", "\(error)")
            return nil
        }
    }

    // MARK: Discovery

    mutating func discoveryOff(_ why: String) { warn("discovery", "", "", why) }

    mutating func discovery(_ event: DiscoveryEvent) {
        switch event {
        case .found(let service):
            debug("found", service.shortID, service.interfaceName, service.deviceName.printable)
        case .lost(let sighting, let shortID, _):
            debug("no longer announced", shortID, sighting.interfaceName, "a hint only")
        case .stateChanged(let state): info("discovery", "", "", state.sentence)
        case .interfaceSkipped(let name, let reason):
            info("interface skipped", "", name, "\(reason)")
        case .collision(let name, let newName):
            warn("name taken", "", name, newName.map { "announced as \($0)" } ?? "gave up")
        case .refused(let name, let error): warn("announcement refused", "", name, "\(error)")
        case .warning(let warning): warn("discovery", "", "", warning.sentence)
        }
    }

    // MARK: Lines

    private mutating func info(
        _ what: String,
        _ peer: String,
        _ location: String,
        _ cause: String
    ) {
        line(.info, what, peer, location, cause)
    }

    private mutating func warn(
        _ what: String,
        _ peer: String,
        _ location: String,
        _ cause: String
    ) {
        line(.warning, what, peer, location, cause)
    }

    private mutating func debug(
        _ what: String,
        _ peer: String,
        _ location: String,
        _ cause: String
    ) {
        line(.debug, what, peer, location, cause)
    }

    private mutating func line(
        _ level: Logger.Level,
        _ what: String,
        _ peer: String,
        _ location: String,
        _ cause: String
    ) {
        guard level >= logger.logLevel else { return }
        let seconds = DispatchTime.now().uptimeNanoseconds / 1_000_000_000
        guard let leftOut = gate.pass("\(what)|\(peer)|\(cause)", at: seconds) else { return }
        var metadata: Logger.Metadata = [:]
        if !peer.isEmpty { metadata["peer"] = "\(peer)" }
        if !location.isEmpty { metadata["at"] = "\(location)" }
        if leftOut > 0 { metadata["leftOut"] = "\(leftOut)" }
        logger.log(
            level: level,
            "\(what)\(cause.isEmpty ? "" : ": \(cause)")",
            metadata: metadata
        )
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
    /// The text without control characters, and short enough for a log line.
    var printable: String {
        // This runs for each message that is read, and most names need no change.
        if utf8.count <= 64, utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return self }
        return String(
            unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(64).map(
                Character.init
            )
        )
    }
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
                + "sent are dialled"
        case .browseFailed(let cause): "browsing failed (\(cause)) and will be retried"
        case .publishFailed(let cause): "the node could not be announced (\(cause))"
        case .noInterfaceAllowed: "--interface allows no existing interface"
        case .servicesDropped(let count): "\(count) announcements over the limit were dropped"
        case .refusalsCounted(let count): "\(count) more announcements were refused"
        }
    }
}
