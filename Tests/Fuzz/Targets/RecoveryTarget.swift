import ParleyCore
import ParleyFaults
import ParleyStore

/// Rows of sessions as the store reads them, whose sums are right, and the machine that starts
/// with them.
struct RecoveryTarget: FuzzTarget {
    private let recovery: Recovery

    private static let rowsMax = 8

    init() {
        let device = DeviceID(
            publicKey: FuzzCryptography(seed: 1).devicePublicKey,
            using: FuzzCryptography(seed: 1)
        )
        var recovery = Recovery()
        recovery.epoch = Epoch(7)
        recovery.device = device
        let record = FuzzedNode.table.record(number: 1, role: .writer, device: device)
        recovery.conversations = [RecoveredConversation(record: record)]
        recovery.conversations[0].incarnations = [FeedIncarnation(id: 5, start: 0)]
        self.recovery = recovery
    }

    func run(_ bytes: [UInt8]) {
        var input = InputReader(bytes)
        var machine = NodeMachine(
            configuration: NodeConfiguration(deviceName: "fuzzed", software: "fuzz"),
            crypto: FuzzCryptography(seed: 1),
            random: SeededRandom(seed: 1),
            recovery: recovery
        )
        var rows: Set<Int64> = []
        for number in 1...Int64(Self.rowsMax) where !input.isAtEnd {
            guard let row = Self.row(number, &input), rows.insert(row.row).inserted else {
                continue
            }
            machine.recover(row)
        }
        _ = machine.start(at: .start)
        _ = machine.handle(.timer, at: .start + .seconds(60))
    }

    private static func row(_ number: Int64, _ input: inout InputReader) -> SessionRow? {
        let tag = SessionTag(sixteen: input.byte())
        let position = input.number(bytes: 8)
        let lines = Slice(input.run())
        let match = input.byte() % 2 == 1 ? input.run() : nil
        guard let heads = SessionColumns.heads(of: Slice(input.run())) else { return nil }
        promise(
            SessionColumns.heads(of: Slice(SessionColumns.column(of: heads))) == heads,
            "heads that are written are others"
        )
        return SessionRow(
            row: number,
            conversation: 1,
            tag: tag,
            position: position,
            heads: heads,
            lines: lines,
            match: match
        )
    }
}
