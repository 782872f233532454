import Glibc
import ParleyCore
import ParleyFaults
import ParleyStore

/// The database of a node with changed bytes: three for the place and one for the value.
struct StoreTarget: FuzzTarget {
    private let folder: String
    private let original: [UInt8]

    private static let changesMax = 32

    init() {
        folder = "/dev/shm/parley-fuzz-\(getpid())"
        do {
            let directory = try DataDirectory(path: folder)
            let store = try SQLiteStore(in: directory)
            let table = FuzzedNode.table
            let device = FuzzedNode(seed: 1).machine.device
            var writes: [StoreWrite] = [
                .device(device), .epoch(Epoch(7)),
                .conversation(table.record(number: 1, role: .writer, device: device)),
                .incarnationStarted(conversation: 1, FeedIncarnation(id: 5, start: 0)),
                .sequencesReserved(conversation: 1, end: 100),
                .address(device: device, text: "192.0.2.1:27275"),
                .deviceName(device: device, name: "kitchen"),
                .blobChunk(BlobID(.zero), index: 0, chunks: 2, Slice([1, 2, 3])),
            ]
            for number in 1...20 as ClosedRange<Int64> {
                writes.append(.session(Self.row(number)))
            }
            _ = try store.write(writes)
            try store.sync()
            store.close()
            directory.release()
        } catch {
            end("the database cannot be made: \(error)")
        }
        FuzzedFile.write([], to: "\(folder)/device.key")
        original = FuzzedFile.read("\(folder)/parley.sqlite")
    }

    func run(_ bytes: [UInt8]) {
        var changed = original
        var input = InputReader(bytes)
        for _ in 0..<Self.changesMax where !input.isAtEnd {
            let place = Int(input.number(bytes: 3)) % changed.count
            changed[place] = input.byte()
        }
        unlink("\(folder)/parley.sqlite-wal")
        unlink("\(folder)/parley.sqlite-shm")
        FuzzedFile.write(changed, to: "\(folder)/parley.sqlite")
        do throws(StoreError) {
            let directory = try DataDirectory(path: folder)
            defer { directory.release() }
            let store = try SQLiteStore(in: directory)
            defer { store.close() }
            _ = try store.recover()
            var rows: [Int64] = []
            _ = try store.recoverSessions { rows.append($0.row) }
            _ = store.heads(ofRows: rows)
            _ = try store.blobBytes(BlobID(.zero))
        } catch {
            promise(!"\(error)".isEmpty, "a refusal without words")
        }
    }

    private static func row(_ number: Int64) -> SessionRow {
        let origin = OriginID(sixteen: 9)
        let dot = Dot(origin: origin, sequence: UInt64(number))
        return SessionRow(
            row: number,
            conversation: 1,
            tag: SessionTag(sixteen: UInt8(number)),
            position: UInt64(number),
            heads: [StoredHead(dot: dot, envelope: Slice([UInt8](repeating: 5, count: 90)))],
            lines: .empty
        )
    }
}
