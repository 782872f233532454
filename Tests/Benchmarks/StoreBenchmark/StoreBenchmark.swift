import Dispatch
import Foundation
import ParleyCore
import ParleyStore
import Synchronization

/// Measures the store.
///
/// It prints one line for each figure: rows per second in one transaction, recovery, reads, and
/// synced acknowledgements per second with several in flight.
///
/// Usage: `store-benchmark [DIRECTORY [SHAPE]]`. The directory is created and removed. SHAPE
/// selects one of the runs with synced acknowledgements by its index, from 0.
@main struct StoreBenchmark {
    static let rows: Int64 = 100_000

    struct Shape {
        let bytes: Int
        let flight: Int
        let isSpread: Bool
    }

    private static let shapes = [
        Shape(bytes: 300, flight: 1, isSpread: true),
        Shape(bytes: 300, flight: 64, isSpread: true),
        Shape(bytes: 300, flight: 1_024, isSpread: true),
        Shape(bytes: 4_096, flight: 64, isSpread: true),
        Shape(bytes: 300, flight: 64, isSpread: false),
    ]

    static func main() throws {
        let path = CommandLine.arguments.dropFirst().first ?? "store-benchmark.data"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = try DataDirectory(path: path)
        let store = try SQLiteStore(in: directory)
        _ = try store.commit([.conversation(conversation)])
        try bulk(store)
        try recovery(store)
        try reads(store)
        store.close()
        let only = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) }
        for (index, shape) in shapes.enumerated() where (only ?? index) == index {
            try acknowledgements(directory, shape)
        }
        directory.release()
    }

    private static func bulk(_ store: SQLiteStore) throws {
        for name in ["insert", "replace"] {
            let writes = (1...rows).map { StoreWrite.session(row($0, bytes: 300)) }
            let seconds = try measured { _ = try store.commit(writes) }
            report("\(name) of \(rows) rows in one transaction", rows, seconds)
            let pause = try measured { _ = try store.maintain() }
            print("  log copied in \(Int(pause * 1_000)) ms")
        }
        let used = try ["", "-wal", "-shm"].reduce(0) { used, suffix in
            let file = try FileManager.default.attributesOfItem(atPath: store.path + suffix)
            return used + (file[.size] as? Int ?? 0)
        }
        print("bytes on disk per session: \(used / Int(rows)) (300 B envelopes)")
    }

    private static func recovery(_ store: SQLiteStore) throws {
        var count = 0
        let seconds = try measured {
            _ = try store.recover()
            _ = try store.recoverSessions { count += $0.heads.count }
        }
        report("recovery", Int64(count), seconds)
    }

    private static func reads(_ store: SQLiteStore) throws {
        let count: Int64 = 20_000
        let seconds = try measured {
            for index in 1...count { _ = try store.heads(ofRow: index &* 7_919 % rows + 1) }
        }
        report("reads of one row", count, seconds)
    }

    /// Keeps `flight` tickets of one row each in flight for two seconds.
    private static func acknowledgements(
        _ directory: DataDirectory,
        _ shape: Shape
    ) throws {
        let loop = DispatchQueue(label: "loop")
        let run = Run(shape)
        let done = DispatchSemaphore(value: 0)
        let store = try SQLiteStore(in: directory)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(2)
        let queue = Mutex<CommitQueue?>(nil)
        let commits = CommitQueue(store: store) { body in
            loop.async(execute: body)
        } report: { report in
            guard case .committed(let ticket, _) = report else {
                preconditionFailure("the benchmark's disk fails: \(report)")
            }
            let acknowledged = run.acknowledged(through: ticket)
            if clock.now < end {
                let commits = queue.withLock { $0 }
                for _ in 0..<acknowledged {
                    commits?.submit(ticket: run.issue(), writes: run.write())
                }
            } else if run.isDrained {
                done.signal()
            }
        }
        queue.withLock { $0 = commits }
        let cpu = processSeconds()
        let seconds = measured {
            loop.async {
                for _ in 0..<shape.flight {
                    commits.submit(ticket: run.issue(), writes: run.write())
                }
            }
            done.wait()
        }
        let used = processSeconds() - cpu
        let count = run.total
        let name = shape.isSpread ? "spread" : "hot"
        report("synced, \(shape.bytes) B, \(shape.flight) in flight, \(name)", count, seconds)
        let micros = used * 1e6 / Double(count)
        print("  \(String(format: "%.2f", micros)) us of CPU each, \(run.commits) commits")
        commits.stop { done.signal() }
        done.wait()
    }

    private static func processSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func measured(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        let spent = ContinuousClock.now - start
        return Double(spent.components.seconds) + Double(spent.components.attoseconds) / 1e18
    }

    private static func report(_ what: String, _ count: Int64, _ seconds: Double) {
        let rate = Int(Double(count) / seconds)
        let each = String(format: "%.2f", seconds * 1e6 / Double(count))
        print("\(what): \(rate) per second, \(each) us each")
    }

    static func row(_ row: Int64, bytes: Int) -> SessionRow {
        let word = UInt64(bitPattern: row)
        let origin = OriginID(Bytes16(word, 1))
        let head = StoredHead(
            dot: Dot(origin: origin, sequence: word),
            envelope: Slice([UInt8](repeating: UInt8(truncatingIfNeeded: row), count: bytes))
        )
        return SessionRow(
            row: row,
            conversation: 1,
            tag: SessionTag(Bytes16(word, word &* 31)),
            position: word,
            heads: [head],
            lines: .empty
        )
    }

    private static let conversation = ConversationRecord(
        number: 1,
        id: ConversationID(.zero),
        name: "benchmark",
        isOpen: false,
        capability: Capability(
            publicWriteKey: .zero,
            relayKey: .zero,
            readKey: nil,
            writerSeed: nil
        ),
        certificate: nil
    )
}

/// The counters of one run, which are used on its loop only.
final class Run: Sendable {
    private struct Counters {
        var issued: UInt64 = 0
        var acknowledged: UInt64 = 0
        var commits = 0
    }

    private let counters = Mutex(Counters())
    private let shape: StoreBenchmark.Shape

    init(_ shape: StoreBenchmark.Shape) {
        self.shape = shape
    }

    var total: Int64 { counters.withLock { Int64($0.acknowledged) } }
    var commits: Int { counters.withLock { $0.commits } }
    var isDrained: Bool { counters.withLock { $0.issued == $0.acknowledged } }

    func issue() -> UInt64 {
        counters.withLock { counters in
            counters.issued += 1
            return counters.issued
        }
    }

    func write() -> [StoreWrite] {
        let number = counters.withLock { Int64($0.issued) }
        let row = shape.isSpread ? number % StoreBenchmark.rows + 1 : number % 4 + 1
        return [.session(StoreBenchmark.row(row, bytes: shape.bytes))]
    }

    func acknowledged(through ticket: UInt64) -> UInt64 {
        counters.withLock { counters in
            defer { counters.acknowledged = ticket }
            counters.commits += 1
            return ticket - counters.acknowledged
        }
    }
}
