import Foundation
import ParleyAPI
import Synchronization
import TestSupport
import Testing

/// Whatever a power failure leaves of a node's files, everything acknowledged is there, or was
/// replaced.
///
/// The real executable is recorded in two lives. For each moment files are made as a disk may have
/// them, and opened by the code that opens them at a start. `PARLEY_TEST_CRASH_STATES` is how many
/// of them to check.
@Suite(.timeLimit(.minutes(120)), .serialized)
struct CrashStateTests {
    @Test func nothingAcknowledgedIsLost() async throws {
        let run = try await CrashRun(in: TestDirectory())
        let wanted = ProcessInfo.processInfo.environment["PARLEY_TEST_CRASH_STATES"]
        let count = wanted.flatMap { Int($0) } ?? 400
        let seed = wanted == nil ? UInt64.random(in: 0..<1_000) : 1
        let found = try await run.check(count, seed: seed, jobs: wanted == nil ? 1 : 2)
        #expect(found.states >= count)
        for problem in found.problems.prefix(20) { Issue.record("seed \(seed), \(problem)") }
        #expect(found.problems.isEmpty)
        print("\(found.states) states, no two alike, at \(found.moments) moments of a record")
    }

    /// The check can fail: a disk that ignores syncs loses what was acknowledged.
    @Test func aDiskThatIgnoresSyncsLoses() async throws {
        let run = try await CrashRun(in: TestDirectory(), believesSyncs: false)
        #expect(try await !run.check(100, seed: 1, jobs: 1).problems.isEmpty)
    }
}

/// The record of a node, and the states that follow from it.
struct CrashRun: Sendable {
    private let records: [DiskRecord]
    private let promises: CrashPromises

    struct Found: Sendable {
        var states = 0
        var moments = 0
        var problems: [String] = []
    }

    /// Records a node that makes two conversations and sends, is stopped, and sends again.
    init(in directory: TestDirectory, believesSyncs: Bool = true) async throws {
        let shim = try await DiskShim(in: directory)
        let folder = try DiskFolder()
        let data = folder.path("node")
        let environment = shim.environment(data: data, log: folder.path("log"))
        var sent: [SentMessage] = []
        for life in 0..<2 {
            let node = try await NodeProcess(data: data, environment: environment)
            if life == 0 {
                _ = try ControlSocketClient.post(
                    "conversations",
                    Data(#"{"name":"games"}"#.utf8),
                    to: node
                )
                _ = try ControlSocketClient.post("join", Data(#"{"link":"open:x"}"#.utf8), to: node)
            }
            // One at a time, and many that share their commits.
            for round in 0..<60 {
                let count = round.isMultiple(of: 6) ? 20 : 1
                let lines = (0..<count).map { number in
                    let session = "00000000-0000-4000-8000-0000000000\(10 + (round + number) % 40)"
                    let url = "?\(String(repeating: "x", count: round * 7))"
                    return "{\"url\":\"\(url)\",\"session\":\"\(session)\"}\n"
                }
                let answer = try ControlSocketClient.post(
                    "conversations/games/batch",
                    Data(lines.joined().utf8),
                    to: node
                )
                for line in answer.body.split(separator: 0x0A) where line.first == 0x7B {
                    sent.append(try JSON.decode(SentMessage.self, from: Data(line)))
                }
            }
            if life == 0 { await #expect(node.end() == 0) } else { await node.end(with: SIGKILL) }
        }
        try #require(sent.count == 500)
        records = try DiskRecord.all(in: Data(contentsOf: URL(filePath: folder.path("log"))))
            .filter { believesSyncs || ![.sync, .syncBegins].contains($0.kind) }
        let key = try Data(contentsOf: URL(filePath: "\(data)/device.key"))
        promises = CrashPromises(of: sent, key: key)
    }

    /// Checks that many states, spread over all moments.
    func check(_ count: Int, seed: UInt64, jobs: Int) async throws -> Found {
        let search = CrashSearch(count: count, seed: seed, jobs: jobs)
        let moments = records.count { ![.read, .open, .answer, .syncBegins].contains($0.kind) }
        let share = max(1, count / moments)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for job in 0..<jobs {
                group.addTask { try check(share, job: job, of: search) }
            }
            try await group.waitForAll()
        }
        var found = search.found.withLock { $0 }
        found.moments = moments
        return found
    }

    private func check(_ share: Int, job: Int, of search: CrashSearch) throws {
        let folder = try DiskFolder()
        for pass in 0... {
            var disk = CrashDisk()
            var promises = promises
            for (moment, record) in records.enumerated() {
                if record.kind == .answer { promises.add(record.bytes) }
                guard disk.carryOut(record), moment % search.jobs == job else { continue }
                var random = SeededRandom(
                    seed: search.seed &* 1_000_003 &+ UInt64(moment + pass << 32)
                )
                var choices = CrashChoice.all(of: disk, draws: share * 2, &random)
                choices.shuffle(using: &random)
                for choice in choices.prefix(share) {
                    let state = CrashState(disk, choice)
                    guard search.isNew(state) else { continue }
                    var problem: String?
                    let path = folder.path("node")
                    do {
                        try state.write(to: path)
                        try promises.check(path)
                    } catch {
                        problem = "moment \(moment): \(error), after \(choice)"
                    }
                    try FileManager.default.removeItem(atPath: path)
                    guard search.goesOn(after: problem) else { return }
                }
            }
        }
    }
}

/// What the jobs of a search share.
final class CrashSearch: Sendable {
    let count: Int
    let seed: UInt64
    let jobs: Int
    let found = Mutex(CrashRun.Found())
    private let begin = ContinuousClock.now
    private let seen = Mutex<Set<Int>>([])

    init(count: Int, seed: UInt64, jobs: Int) {
        self.count = count
        self.seed = seed
        self.jobs = jobs
    }

    func isNew(_ state: CrashState) -> Bool {
        seen.withLock { $0.insert(state.key).inserted }
    }

    /// Counts a state, and says whether more are to be checked.
    func goesOn(after problem: String?) -> Bool {
        let states = found.withLock { found in
            found.states += 1
            if let problem { found.problems.append(problem) }
            return found.states
        }
        if states % 5_000 == 0, states <= count {
            let left = (ContinuousClock.now - begin) / states * (count - states)
            print("\(states) of \(count) states, \(left.components.seconds / 60 + 1) minutes left")
        }
        return states < count
    }
}
