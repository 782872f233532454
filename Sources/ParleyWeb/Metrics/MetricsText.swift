import Foundation
import ParleyCore
import ParleyNode
import ParleyTransport

/// The figures of a node in the text format of Prometheus, version 0.0.4.
struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    init(_ node: NodeMeasurements, _ process: ProcessFigures) {
        gauge("parley_build_info", "The version of Parley.", 1, label: ("version", node.version))
        gauges(of: node)
        for count in NodeCount.allCases {
            counter(count.name, count.help, [(nil, node.counts[count])])
        }
        counter(
            "parley_refusals_total",
            "What peers sent and the node refused, by the reason.",
            label: "reason",
            node.refusals.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
        traffic(node.figures)
        histogram(
            "parley_commit_seconds",
            "The time from a change to its being on disk.",
            node.commits
        )
        histogram("parley_sync_seconds", "The time that the disk takes to sync.", node.syncs)
        connections(node.transport)
        add(process)
    }

    private mutating func gauges(of node: NodeMeasurements) {
        gauge("parley_links", "Links to members.", node.links)
        gauge(
            "parley_connections",
            "Connections with a handshake, also to strangers.",
            node.load.openLinks
        )
        gauge(
            "parley_devices_discovered",
            "Devices that discovery has found here.",
            node.discovered
        )
        gauge("parley_conversations", "Conversations.", node.conversations)
        gauge("parley_sessions", "Sessions of all conversations.", node.sessions)
        gauge("parley_kept_heads", "Heads of all sessions.", node.kept.heads)
        gauge("parley_kept_bytes", "Bytes of envelopes and pictures on disk.", node.kept.bytes)
        gauge("parley_kept_origins", "Devices that wrote, by key.", node.kept.origins)
        gauges(
            "parley_quota_used_ratio",
            "The greatest part of a quota that is used; 1 is full.",
            label: "quota",
            [
                ("conversation", node.quotaUse.single),
                ("open-conversations", node.quotaUse.open),
                ("all-conversations", node.quotaUse.all),
            ]
        )
        gauge("parley_store_bytes", "The length of the database and its log.", node.storeBytes)
        gauge("parley_disk_free_bytes", "Free bytes on the disk of the data.", node.freeBytes)
        gauge(
            "parley_disk_reserve_bytes",
            "With fewer free bytes on the disk, nothing is stored.",
            node.freeBytesMin
        )
        gauges(
            "parley_trouble",
            "1 if this keeps the node from its work.",
            label: "trouble",
            NodeTrouble.allCases.map { ($0.rawValue, node.troubles.contains($0) ? 1 : 0) }
        )
        gauge("parley_outbox_bytes", "The most bytes that wait for a link.", node.load.outboxBytes)
        gauge("parley_commit_queue_bytes", "Bytes that wait for the disk.", node.load.commitBytes)
        gauge("parley_requests_waiting", "Messages that wait to be written.", node.load.requests)
        gauge("parley_envelopes_wanted", "The most that a conversation lacks.", node.load.wants)
        gauge(
            "parley_announced_bytes",
            "Memory for what peers have and this node lacks.",
            node.load.announcedBytes
        )
    }

    private mutating func traffic(_ figures: NodeFigures) {
        counter(
            "parley_envelopes_received_total",
            "Envelopes that peers sent, known ones included.",
            [(nil, figures.envelopesReceived)]
        )
        counter(
            "parley_envelopes_sent_total",
            "Envelopes sent, each once for each link.",
            [(nil, figures.envelopesSent)]
        )
        counter(
            "parley_envelope_received_bytes_total",
            "Bytes of the received envelopes.",
            [(nil, figures.envelopeBytesReceived)]
        )
        frames(
            "parley_frames_received_total",
            "Frames that peers sent, by their kind.",
            figures.framesReceived,
            envelopes: figures.envelopesReceived
        )
        frames(
            "parley_frames_sent_total",
            "Frames sent, by their kind.",
            figures.framesSent,
            envelopes: figures.envelopesSent
        )
    }

    private mutating func frames(
        _ name: String,
        _ help: String,
        _ others: [FrameType: UInt64],
        envelopes: UInt64
    ) {
        let counts = others.merging([.envelope: envelopes]) { $1 }
        counter(name, help, label: "frame", FrameType.allCases.map { ("\($0)", counts[$0] ?? 0) })
    }

    private mutating func connections(_ transport: TransportCounters) {
        for (name, help, count) in [
            (
                "parley_connection_received_bytes_total", "Bytes received on connections.",
                transport.bytesReceived
            ),
            (
                "parley_connection_sent_bytes_total", "Bytes sent on connections.",
                transport.bytesSent
            ),
            (
                "parley_connections_accepted_total", "Connections that others opened.",
                transport.accepted
            ),
            (
                "parley_connections_turned_away_total",
                "Connections of others for which there was no place.", transport.turnedAway
            ),
        ] {
            counter(name, help, [(nil, UInt64(count))])
        }
    }

    private mutating func add(_ process: ProcessFigures) {
        counter("process_cpu_seconds_total", "Processor time.", process.cpuSeconds)
        gauge("process_resident_memory_bytes", "Memory in use.", process.residentBytes)
        gauge("process_open_fds", "Open descriptors.", process.openDescriptors)
        gauge("process_max_fds", "The most descriptors.", process.descriptorsMax)
        gauge(
            "process_start_time_seconds",
            "The start of the process, since 1970.",
            process.startSeconds
        )
    }

    // MARK: Lines

    private mutating func head(_ name: String, _ help: String, _ kind: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    private mutating func gauge(
        _ name: String,
        _ help: String,
        _ value: some Numeric,
        label: (name: String, value: String)? = nil
    ) {
        head(name, help, "gauge")
        text += name + (label.map { "{\($0.name)=\"\($0.value)\"}" } ?? "") + " \(value)\n"
    }

    private mutating func gauges(
        _ name: String,
        _ help: String,
        label: String,
        _ series: [(value: String, number: some Numeric)]
    ) {
        head(name, help, "gauge")
        for (value, number) in series { text += "\(name){\(label)=\"\(value)\"} \(number)\n" }
    }

    private mutating func counter(_ name: String, _ help: String, _ value: Double) {
        head(name, help, "counter")
        text += "\(name) \(value)\n"
    }

    private mutating func counter(
        _ name: String,
        _ help: String,
        label: String = "",
        _ series: [(label: String?, value: UInt64)]
    ) {
        head(name, help, "counter")
        for (value, count) in series {
            text += name + (value.map { "{\(label)=\"\($0)\"}" } ?? "") + " \(count)\n"
        }
    }

    private mutating func histogram(
        _ name: String,
        _ help: String,
        _ histogram: DurationHistogram
    ) {
        head(name, help, "histogram")
        for (bound, count) in zip(DurationHistogram.bounds, histogram.buckets) {
            text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
        text += "\(name)_sum \(histogram.sum)\n\(name)_count \(histogram.count)\n"
    }
}
