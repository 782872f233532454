import CBrokerLoad

extension BesideRow {
    /// The rows of the comparison with other servers, in the order of the table.
    static let all: [BesideRow] =
        [
            relayed(readers: 1, size: 300, atMost: 2.2),
            relayed(readers: 8, size: 300, atMost: 1),
            relayed(readers: 64, size: 300, atMost: 0.8),
            relayed(readers: 1, size: 4_096),
            relayed(readers: 8, size: 4_096, atMost: 0.9),
            relayed(readers: 64, size: 4_096),
            relayed(readers: 64, size: 300, topics: 64),
            paced(rate: 1_000, atMost: 1.5), paced(rate: 10_000),
            lastValue, acknowledged(inFlight: 1, atLeast: 1),
            acknowledged(inFlight: 64, atLeast: 1.2), synced,
            catchUp(.reader, atMost: 0.8), catchUp(.node, atMost: 4),
        ]

    /// The entrant that is our transport alone.
    private static let floor = "Dispatch floor"

    /// From one publisher to all readers: all read one topic, or each reads a topic of its own and
    /// the topics take turns.
    ///
    /// `atMost` is the target of the ratio to NATS.
    private static func relayed(
        readers: Int,
        size: Int,
        topics: Int = 1,
        atMost: Double? = nil
    ) -> BesideRow {
        let share = size < 1_024 ? 1 : 4
        var load = BrokerLoad(readers: readers, topics: topics, size: size)
        load.messages = min(1 << 18, (1 << 21) * topics / readers) / share
        load.warm = load.messages / 8
        var slow = load
        slow.messages /= 32
        slow.warm /= 32
        let value: @Sendable (BrokerLoad.Outcome) -> Double = { $0.microsecondsPerDelivery }
        let row = RelayRow(
            middle: .memory,
            readers: readers,
            size: size,
            conversations: topics
        )
        let bare = RelayRow(middle: .floor, readers: readers, size: size)
        // Our transport alone passes on all that it receives, and does not look for topics.
        let floor = topics == 1 ? [Entrant.row(bare, RelayRow.cost, as: Self.floor)] : []
        return BesideRow(
            name: "\(share == 1 ? "300B" : "4KiB")-\(topics)to\(readers)",
            unit: "µs",
            entrants: [
                .broker(.relay, load, value), .broker(.nats, load, value),
                .broker(.redis, load, value), .broker(.mosquitto, slow, value),
            ] + floor + [.row(row, RelayRow.cost)],
            targets: atMost.map { [Target("÷ NATS", .atMost($0))] } ?? []
        )
    }

    /// Messages at a rate at which every message comes alone.
    ///
    /// `atMost` is the target of the ratio to our transport alone.
    private static func paced(rate: Int, atMost: Double? = nil) -> BesideRow {
        var load = BrokerLoad()
        load.pace = PACE_RATE
        load.amount = Double(rate)
        load.messages = 2 * rate
        load.warm = rate / 10
        let value: @Sendable (BrokerLoad.Outcome) -> Double = { $0.microsecondsPerDelivery }
        return BesideRow(
            name: "paced-\(rate)/s",
            unit: "µs",
            entrants: [
                .broker(.relay, load, value), .broker(.nats, load, value),
                .broker(.redis, load, value), .broker(.mosquitto, load, value),
                .row(PacedRow(middle: .floor, rate: rate), RelayRow.cost, as: floor),
                .row(PacedRow(middle: .memory, rate: rate), RelayRow.cost),
            ],
            targets: atMost.map { [Target("÷ \(floor)", .atMost($0))] } ?? []
        )
    }

    /// Parley's own job: keep the last value of each of many keys on the disk, and deliver the
    /// changes to eight readers.
    private static var lastValue: BesideRow {
        var load = BrokerLoad(readers: 8, topics: 16_384, hasStream: true)
        load.messages = 4 * load.topics
        load.warm = load.topics
        return BesideRow(
            name: "last-value-8readers",
            unit: "µs",
            entrants: [
                .broker(.jetStream, load) { $0.microsecondsPerDelivery },
                .row(RelayRow(middle: .durable, readers: 8, size: 300), RelayRow.cost),
            ],
            targets: [Target("÷ JetStream", .atMost(0.35))]
        )
    }

    /// Messages with different keys that are acknowledged when they are stored.
    ///
    /// `atLeast` is the target of the ratio to Redis.
    private static func acknowledged(inFlight: Int, atLeast: Double) -> BesideRow {
        var load = BrokerLoad(readers: 0, hasStream: true)
        load.pace = PACE_STORED
        load.amount = Double(inFlight)
        load.messages = inFlight == 1 ? 1_024 : 32_768
        load.warm = load.messages / 8
        load.topics = load.messages + load.warm
        let row = StoredRow(inFlight: inFlight)
        return BesideRow(
            name: row.name,
            unit: "/s",
            entrants: keepers.map { .broker($0, load) { $0.messagesPerSecond } }
                + [.row(row, StoredRow.rate)],
            targets: [.redisAlways, .jetStreamAlways, .etcd].map { (keeper: Broker) in
                Target("÷ \(keeper.name)", .atLeast(keeper == .redisAlways ? atLeast : 1))
            }
        )
    }

    /// The servers that acknowledge what they have stored.
    private static let keepers: [Broker] = [
        .relay, .jetStream, .jetStreamAlways, .redisAlways, .valkeyAlways, .etcd,
    ]

    /// Who syncs before the acknowledgement: with one message in flight, whoever has less than one
    /// call for each message has acknowledged what was not on the disk.
    private static var synced: BesideRow {
        var load = BrokerLoad(readers: 0, hasStream: true)
        load.pace = PACE_STORED
        load.amount = 1
        load.messages = 512
        load.topics = load.messages
        load.countsSyncs = true
        return BesideRow(
            name: "syncs-1-in-flight",
            unit: "syncs",
            entrants: keepers.map { .broker($0, load) { $0.syncs } }
                + [.row(StoredRow(inFlight: 1, countsSyncs: true), StoredRow.syncs)],
            hasRatios: false
        )
    }

    /// 100,000 last values on their way to a newcomer.
    private static func catchUp(_ newcomer: CatchUpRow.Newcomer, atMost: Double) -> BesideRow {
        let row = CatchUpRow(newcomer: newcomer, sessions: 100_000, processor: 1)
        var load = BrokerLoad(readers: 0, hasStream: true)
        load.messages = row.sessions
        load.isCatchUp = true
        return BesideRow(
            name: row.name + (newcomer == .node ? "-node" : ""),
            unit: "s",
            entrants: [
                .broker(.jetStream, load) { $0.seconds }, .row(row, CatchUpRow.duration),
            ],
            targets: [Target("÷ JetStream", .atMost(atMost))]
        )
    }
}
