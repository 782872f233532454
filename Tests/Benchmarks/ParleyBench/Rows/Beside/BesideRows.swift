import CBrokerLoad

extension BesideRow {
    /// The rows of the comparison with other servers, in the order of the table.
    static let all: [BesideRow] =
        [
            relayed(readers: 1, size: 300, atMost: 2),
            relayed(readers: 8, size: 300, atMost: 1),
            relayed(readers: 64, size: 300, atMost: 0.75),
            relayed(readers: 1, size: 4_096),
            relayed(readers: 8, size: 4_096, atMost: 1),
            relayed(readers: 64, size: 4_096),
        ]

    /// From one publisher to all readers; `atMost` is the target of the ratio to NATS.
    private static func relayed(readers: Int, size: Int, atMost: Double? = nil) -> BesideRow {
        let row = RelayRow(middle: .memory, readers: readers, size: size)
        var load = BrokerLoad(readers: readers, size: size)
        load.messages = min(1 << 18, 1 << 21 / readers) / (size < 1_024 ? 1 : 4)
        load.warm = load.messages / 8
        var slow = load
        slow.messages /= 8
        let value: @Sendable (BrokerLoad.Outcome) -> Double = { $0.microsecondsPerDelivery }
        return BesideRow(
            name: "\(size < 1_024 ? "\(size)B" : "\(size >> 10)KiB")-1to\(readers)",
            unit: "µs",
            entrants: [
                .broker(.relay, load, value), .broker(.nats, load, value),
                .broker(.redis, load, value), .broker(.mosquitto, slow, value),
                .row(row, RelayRow.cost),
            ],
            targets: atMost.map { [Target("÷ NATS", .atMost($0))] } ?? []
        )
    }
}
