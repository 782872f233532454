import Dispatch
import ParleyCore
import ParleyLoop
import ParleyNode
import ParleyTransport
import Synchronization
import TestSupport
import Testing

/// Which accepted files arrive next, and how much of them is to come.
@Suite struct FileDownloadsTests {
    private let executor = QueueExecutor(label: "downloads")
    private static let ada = DeviceID(Bytes32(1, 0, 0, 0))
    private static let ben = DeviceID(Bytes32(2, 0, 0, 0))

    /// A download in a phase; the files of a suite differ by their sessions.
    private func download(
        by author: DeviceID = ada,
        bytes: Int = 100,
        in phase: FileDownload.Phase = .queued,
        woke: @escaping @Sendable () -> Void = {}
    ) -> FileDownload {
        let offer = FileOffer(
            session: SessionID(),
            file: FileInfo(name: "a", type: "", bytes: bytes, sha256: ""),
            conversation: 1,
            conversationName: "games",
            tag: SessionTag(Bytes16(1, 2)),
            author: author,
            isMine: false
        )
        let download = FileDownload(
            offer,
            writer: FileWriter(path: "/dev/null"),
            timer: LoopTimer(on: executor, handler: woke)
        )
        download.phase = phase
        return download
    }

    private func downloads(_ all: [FileDownload]) -> FileDownloads {
        var downloads = FileDownloads()
        for download in all { downloads.add(download) }
        return downloads
    }

    // MARK: The list

    @Test func downloadsAreFoundBySessionAndByDial() {
        let (dial, other) = (TransportDialID(number: 1), TransportDialID(number: 2))
        let all = [
            download(), download(in: .dialling(dial)),
            download(in: .asking(ConnectionID(LinkID(2)))),
        ]
        let downloads = downloads(all)
        #expect(all.allSatisfy { downloads.of($0.offer.session) === $0 })
        #expect(downloads.of(SessionID()) == nil)
        #expect(downloads.of(dial) === all[1])
        #expect(downloads.of(other) == nil)
        all[1].phase = .paused
        #expect(downloads.of(dial) == nil, "that dial is over")
    }

    @Test func whatIsRemovedIsHandedOverOnce() {
        let all = (0..<3).map { _ in download() }
        var downloads = downloads(all)
        let removed = [downloads.remove(all[1].offer.session), downloads.remove(SessionID())]
        #expect(removed[0] === all[1] && removed[1] == nil)
        #expect(downloads.inOrder.map(\.offer.session) == [all[0], all[2]].map(\.offer.session))
        let again = downloads.remove(all[1].offer.session)
        #expect(again == nil)
    }

    /// Bytes that wait for the disk are still to come.
    @Test func whatIsOnDiskIsNotMissing() {
        let all = [download(bytes: 1_000), download(bytes: 20, in: .paused), download(bytes: 3)]
        #expect(FileDownloads().missing == 0)
        #expect(downloads(all).missing == 1_023)
        (all[0].count, all[0].waiting) = (700, 200)
        all[2].count = 3
        #expect(downloads(all).missing == 520)
    }

    @Test func theEndTakesAllTimers() async throws {
        let calls = Mutex<[Int]>([])
        let all = (0..<3).map { number in
            download { calls.withLock { $0.append(number) } }
        }
        var downloads = downloads(Array(all[..<2]))
        executor.queue.sync {
            for (number, download) in all.enumerated() {
                download.timer.arm(after: .milliseconds(number < 2 ? 1 : 30))
            }
            downloads.stop()
            all[0].timer.arm(after: .zero)
        }
        #expect(downloads.inOrder.isEmpty && downloads.missing == 0)
        try await eventually("a timer of none of them") { calls.withLock { !$0.isEmpty } }
        #expect(calls.withLock { $0 } == [2])
    }

    // MARK: Places

    static let connection = ConnectionID(LinkID(1))
    static let active: [FileDownload.Phase] = [
        .opening, .dialling(TransportDialID(number: 1)), .asking(connection),
        .receiving(connection), .finishing,
    ]

    /// Whatever is under way takes a place, and nothing else does.
    @Test func whatIsUnderWayTakesAPlace() {
        var limits = FileLimits()
        limits.received = 1
        for phase in Self.active + [.queued, .paused, .done] {
            let all = [download(in: phase), download(by: Self.ben)]
            let next = downloads(all).next(within: limits)
            let expected = Self.active.contains(phase) ? nil : phase == .queued ? all[0] : all[1]
            #expect(next === expected, "\(phase)")
        }
    }

    /// The first one waits for a place of its author, and those behind it do not.
    @Test(arguments: [
        Places("", next: nil), Places("a", next: 0), Places("ab", next: 0),
        Places("Aa", next: 1), Places("AAa", next: nil), Places("AAab", next: 3),
        Places("AABab", next: 4), Places("AABBab", next: nil), Places("AABCc", next: nil),
        Places("AABc", next: 3), Places("aAbA", next: 2), Places("ABCa", next: 3),
    ])
    func authorsHaveSoManyPlaces(_ places: Places) {
        let all = places.letters.map { letter in
            let author = DeviceID(Bytes32(UInt64(letter.lowercased().utf8.first ?? 0), 0, 0, 0))
            return download(by: author, in: letter.isUppercase ? .opening : .queued)
        }
        let next = downloads(all).next(within: FileLimits())
        #expect(next === places.next.map { all[$0] })
    }

    /// Downloads of the authors a, b and c, in capitals if they are under way, with four places in
    /// all and two for an author; and the index of the next one.
    struct Places: Sendable {
        let letters: String
        let next: Int?

        init(_ letters: String, next: Int?) {
            self.letters = letters
            self.next = next
        }
    }

    /// Whoever still waits in the end has no place in all, or none of the author's.
    @Test(arguments: 0..<UInt64(30)) func noPlaceStaysEmpty(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var limits = FileLimits()
        limits.received = Int(random.next() % 6)
        limits.receivedFromDevice = Int(random.next() % 4)
        let all = (0..<Int(random.next() % 20)).map { _ in
            download(by: DeviceID(Bytes32(random.next() % 4, 0, 0, 0)))
        }
        let downloads = downloads(all)
        for _ in all {
            guard let next = downloads.next(within: limits) else { break }
            #expect(next.phase == .queued)
            next.phase = .opening
        }
        #expect(downloads.next(within: limits) === nil)
        let active = all.filter(\.isActive)
        func places(of author: DeviceID) -> Int { active.count { $0.offer.author == author } }
        #expect(active.count <= limits.received)
        #expect(active.allSatisfy { places(of: $0.offer.author) <= limits.receivedFromDevice })
        let areWaitersBlocked = all.filter { !$0.isActive }.allSatisfy {
            active.count == limits.received
                || places(of: $0.offer.author) == limits.receivedFromDevice
        }
        #expect(areWaitersBlocked)
    }
}
