import Dispatch
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyTransport

/// The author and the readers of a node under test, on one loop in this process.
actor Driver {
    nonisolated let executor = QueueExecutor(label: "bench.driver")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The author in each of its conversations, of which each reader is in one.
    private let authors: [Author]
    private let address: SocketAddress
    private(set) var peers: [Peer] = []
    private var observers: [PeerObserver] = []
    private(set) var sending: Sending?
    /// The index of a reader that has as few envelopes as any while it has `slowestEnvelopes`.
    ///
    /// With many readers, looking for it at each arrival takes longer than all else.
    private var slowest = Int.max
    private var slowestEnvelopes = 0
    /// The times at which envelopes arrived at the first reader, in seconds; nil before
    /// `noteArrivals`.
    private(set) var arrivals: [Double]?
    private var sentAt: [Double] = []
    private var failure: BenchError?
    private var waiting: Waiting?
    private var waitNumber = 0
    private var pacer: LoopTimer?
    /// The timer of the readers' confirmations; nil while no reader owes one.
    private var gatherer: LoopTimer?

    private struct Waiting {
        let number: Int
        let goal: @Sendable (isolated Driver) -> Bool
        let done: CheckedContinuation<Bool, Never>
    }

    init(_ author: Author, to address: String) throws {
        try self.init([author], to: address)
    }

    init(_ authors: [Author], to address: String) throws {
        self.authors = authors
        self.address = try SocketAddress(parsing: address)
    }

    // MARK: Peers

    /// Connects peers, to another node if an address is given; returns when the node has processed
    /// their requests.
    func connect(_ part: Peer.Part, count: Int = 1, to other: String? = nil) async throws {
        let address = try other.map { try SocketAddress(parsing: $0) } ?? address
        for _ in 0..<count {
            let isAuthor = part == .author
            let key = isAuthor ? authors[0].key : DeviceKey.random()
            let own = authors[max(0, peers.count - 1) % authors.count]
            let observer = PeerObserver(self, peers.count)
            let transport = try Transport(
                on: executor,
                identity: try TransportIdentity(privateKey: key.rawPrivateKey),
                observer: observer
            )
            peers.append(Peer(part, isAuthor ? authors : [own], transport: transport, key: key))
            observers.append(observer)
            slowest = Int.max
            _ = transport.dial([.address(address)])
            try await wait(for: "peer \(peers.count - 1) to be linked", seconds: 10) { driver in
                driver.peers.allSatisfy(\.isReady)
            }
        }
    }

    /// Tells the node of an author in the first conversation whose envelopes the first peer sends.
    func introduce(_ author: Author) { peers[0].introduce(author) }

    func stop() {
        pacer = nil
        gatherer = nil
        for peer in peers { peer.transport.stop() }
        peers = []
        observers = []
    }

    var readers: ArraySlice<Peer> { peers.dropFirst() }

    /// The number of envelopes that all readers have, taking it that the conversations are as fast
    /// as the slowest reader's.
    var delivered: Int {
        if slowest < peers.count, peers[slowest].envelopes == slowestEnvelopes {
            return slowestEnvelopes * authors.count
        }
        let readers = peers.indices.dropFirst()
        slowest = readers.min { peers[$0].envelopes < peers[$1].envelopes } ?? 0
        slowestEnvelopes = readers.isEmpty ? Int.max / authors.count : peers[slowest].envelopes
        return slowestEnvelopes * authors.count
    }

    /// Records the arrivals of envelopes at the first reader from now on.
    func noteArrivals() { arrivals = [] }

    /// The one-way times of envelopes that were sent at a rate, in seconds.
    var delays: [Double] { zip(arrivals ?? [], sentAt).map { $0 - $1 } }

    // MARK: Sending

    /// Starts to send `range` of the traffic from the first peer.
    func send(_ traffic: Traffic, _ range: Range<Int>, window: Sending.Window) {
        sending = Sending(traffic, range, window: window)
        if case .paced = window {
            sentAt = [Double](repeating: 0, count: range.upperBound)
            noteArrivals()
            pace()
        }
        pump()
    }

    private func pump() {
        guard let author = peers.first, var sending, sending.next < sending.end else { return }
        let credit = author.part == .bare ? UInt64.max : author.creditLimit
        var isSent = false
        while sending.next < sending.end {
            let before = sending.next
            guard
                let piece = sending.piece(
                    delivered: peers.count > 1 ? delivered : Int.max >> 1,
                    stored: author.storedPosition,
                    credit: credit
                )
            else { break }
            author.send(piece)
            note(before..<sending.next)
            isSent = true
        }
        self.sending = sending
        if isSent { author.transport.flush() }
    }

    private func note(_ range: Range<Int>) {
        guard !sentAt.isEmpty else { return }
        let now = ProcessMeter.now
        for index in range { sentAt[index] = now }
    }

    /// Arms the timer for the next envelope.
    private func pace() {
        guard let sending, let due = sending.due(sending.next), sending.next < sending.end else {
            pacer = nil
            return
        }
        let timer =
            pacer
            ?? LoopTimer(on: executor) { [weak self] in
                self?.assumeIsolated { driver in
                    driver.pump()
                    driver.pace()
                }
            }
        pacer = timer
        timer.arm(after: .seconds(max(0, due - ProcessMeter.now)), leeway: .zero)
    }

    // MARK: Waiting

    /// Waits until `goal` is reached.
    ///
    /// - Throws: `timeout`, or an error that occurred in the meantime.
    func wait(
        for what: String,
        seconds: Double,
        until goal: @escaping @Sendable (isolated Driver) -> Bool
    ) async throws {
        if let failure { throw failure }
        if goal(self) { return }
        waitNumber += 1
        let number = waitNumber
        let isReached = await withCheckedContinuation { done in
            waiting = Waiting(number: number, goal: goal, done: done)
            executor.queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
                self?.assumeIsolated { $0.timeOver(number) }
            }
        }
        if let failure { throw failure }
        guard isReached else { throw BenchError.timeout("\(what); \(progress)") }
    }

    /// How far the author and the readers are, for the message of a timeout.
    private var progress: String {
        let received = readers.map(\.envelopes)
        return """
            sent \(sending?.next ?? 0), confirmed \(peers.first?.storedPosition ?? 0), \
            credit of \(peers.first?.creditLimit ?? 0) bytes, received \(received.min() ?? 0) \
            to \(received.max() ?? 0)
            """
    }

    private func timeOver(_ number: Int) {
        guard let waiting, waiting.number == number else { return }
        self.waiting = nil
        waiting.done.resume(returning: waiting.goal(self))
    }

    private func check() {
        guard let waiting, failure != nil || waiting.goal(self) else { return }
        self.waiting = nil
        waiting.done.resume(returning: true)
    }

    // MARK: Events of the transports

    func opened(_ index: Int, _ id: ConnectionID, _ opening: ConnectionOpening) {
        peers[index].opened(id, opening)
        check()
    }

    func received(_ index: Int, _ bytes: Slice) {
        guard index < peers.count else { return }
        let before = peers[index].envelopes
        do {
            try peers[index].received(bytes)
        } catch {
            return failed("peer \(index): \(error)")
        }
        gather()
        if arrivals != nil, index == peers.firstIndex(where: { $0.part == .reader }) {
            let count = peers[index].envelopes - before
            arrivals?.append(contentsOf: repeatElement(ProcessMeter.now, count: count))
        }
        pump()
        check()
    }

    /// Arms the timer for the first confirmation that waits for further envelopes.
    private func gather() {
        guard gatherer == nil, let due = peers.compactMap(\.confirmationDue).min() else { return }
        let timer = LoopTimer(on: executor) { [weak self] in
            self?.assumeIsolated { driver in
                driver.gatherer = nil
                for peer in driver.peers { peer.confirmGathered() }
                for peer in driver.peers { peer.transport.flush() }
                driver.gather()
            }
        }
        gatherer = timer
        timer.arm(after: .seconds(max(0, due - ProcessMeter.now)), leeway: .zero)
    }

    func failed(_ what: String) {
        if failure == nil { failure = .unexpected(what) }
        check()
    }
}
