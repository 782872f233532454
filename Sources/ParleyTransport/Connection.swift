import Dispatch
import ParleyCore
import ParleyLoop

/// One TCP connection with TLS, on the loop of its transport.
///
/// Legal transitions:
/// - `connecting -> handshaking`, when TCP is connected (dialled connections only)
/// - `handshaking -> open`, when TLS is complete
/// - `open -> closing`, on `close`
/// - any state `-> ended`; `ended` is final
///
/// Each input returns the events for the owner to pass on; the connection itself calls nobody.
final class Connection {
    let id: ConnectionID
    let remote: SocketAddress
    /// The dial that made this connection; nil if the peer has dialled.
    let dial: TransportDialID?
    /// The protocol that a dial offers.
    private let offered: TransportProtocol
    /// Whether the connection is in the owner's list of connections with bytes to seal.
    var isDirty = false
    /// Whether the owner has reported this connection as open.
    var wasReported = false

    enum State {
        case connecting
        case handshaking
        case open
        case closing
        case ended
    }

    /// The handlers of the sources and the timer of one connection; each enters the transport.
    struct Handlers: Sendable {
        let readReady: @Sendable (_ mayBeLast: Bool) -> Void
        let writeReady: @Sendable () -> Void
        let deadlinePassed: @Sendable () -> Void
    }

    /// The events of one input, in the order of reporting.
    struct News {
        var opening: ConnectionOpening?
        var received: Slice?
        var didDrain = false
        /// Whether the connection is to get a turn in the line.
        var waits = false
        var ended: TransportError?
    }

    /// The reasons for which a connection is not read.
    private struct ReadPause {
        /// The connection stands in the line.
        var isInLine = false
        /// The observer is handling bytes, or has bytes that wait to be handled.
        var hasObserverWork = false
        /// `pauseReading` was called.
        var isPaused = false

        var isOver: Bool { !isInLine && !hasObserverWork && !isPaused }
    }

    private(set) var state: State
    private let owner: ConnectionOwner
    private let handlers: Handlers
    private let descriptor: Descriptor
    private let writer: WriteSource
    private var reader: ReadSource?
    private var deadline: LoopTimer?
    private var tls: TLSStream?
    private var buffer = WriteBuffer()
    /// Writing has failed because the peer does not read any more; bytes sent before are still
    /// read.
    private var isWriteBroken = false
    /// The read source may not call again although the end of the stream was not read yet.
    private var isHungUp = false
    /// The closing record (close_notify) was sealed.
    private var didSealEnd = false
    /// The work that the peer's bytes caused since the last turn in the line.
    private var work = 0
    /// Ciphertext that waits for the next turn.
    private var unopened: [UInt8] = []
    /// Why the socket is not read, if it is not.
    private var readPause = ReadPause()

    /// Makes a connection on `descriptor`, which is still connecting if `dial` is not nil.
    init(
        _ id: ConnectionID,
        on descriptor: Descriptor,
        to remote: SocketAddress,
        dial: TransportDialID?,
        offering offered: TransportProtocol = .link,
        owner: ConnectionOwner,
        handlers: Handlers
    ) {
        self.id = id
        self.descriptor = descriptor
        self.remote = remote
        self.dial = dial
        self.offered = offered
        self.owner = owner
        self.handlers = handlers
        state = dial == nil ? .handshaking : .connecting
        writer = WriteSource(descriptor, on: owner.executor, handler: handlers.writeReady)
    }

    // MARK: Inputs

    /// Starts the connection: an accepted one begins TLS, a dialled one waits for TCP.
    func start() -> News {
        Socket.tune(descriptor, owner.settings)
        switch state {
        case .connecting:
            setDeadline(owner.settings.connectTimeout)
            writer.arm()
            return News()
        case .handshaking:
            return attempt { news throws(TransportError) in try startHandshake(&news) }
        case .open, .closing, .ended:
            return News()
        }
    }

    /// The socket is readable.
    ///
    /// After what may be the last call of the source, the connection schedules further reads
    /// itself. A handshake is expensive and always waits for a turn in the line.
    func readReady(mayBeLast: Bool) -> News {
        guard state != .ended else { return News() }
        if mayBeLast { isHungUp = true }
        guard readPause.isOver else { return News() }
        return state == .handshaking ? News(waits: standInLine()) : readOnce()
    }

    /// The turn of the connection in the line has come.
    func takeTurn() -> News {
        guard readPause.isInLine, state != .ended else { return News() }
        readPause.isInLine = false
        work = 0
        if readPause.hasObserverWork { return News(received: .empty) }
        guard readPause.isOver else { return News() }
        reader?.resume()
        return readOnce()
    }

    /// Counts work that the observer did for bytes; unfinished work goes on in the next turn in the
    /// line.
    func charge(_ units: Int, isUnfinished: Bool) -> News {
        guard state == .open else { return News() }
        work += units
        readPause.hasObserverWork = isUnfinished
        guard !isUnfinished, unopened.isEmpty, work < Work.perTurn else {
            return News(waits: standInLine())
        }
        resumeIfPauseIsOver()
        return News()
    }

    /// Reads what one turn may take.
    private func readOnce() -> News {
        guard let tls else { return News() }
        var news = attempt { news throws(TransportError) in
            let hasRead = try read(tls, &news)
            if isHungUp, hasRead, unopened.isEmpty { readAgain() }
        }
        if !unopened.isEmpty || work >= Work.perTurn { news.waits = standInLine() }
        return news
    }

    /// Stops reading until the turn of this connection; returns whether it was not in line before.
    private func standInLine() -> Bool {
        guard state != .ended, !readPause.isInLine else { return false }
        readPause.isInLine = true
        reader?.pause()
        return true
    }

    private func resumeIfPauseIsOver() {
        guard readPause.isOver, let reader, reader.isPaused else { return }
        reader.resume()
        if isHungUp || !unopened.isEmpty { readAgain() }
    }

    /// The socket is writable.
    func writeReady() -> News {
        guard state != .ended else { return News() }
        guard writer.isArmed else { return News() }
        return attempt { news throws(TransportError) in
            if state == .connecting {
                try Socket.checkConnected(descriptor)
                writer.disarm()
                state = .handshaking
                try startHandshake(&news)
            } else {
                try write(&news)
            }
        }
    }

    /// The deadline of the present state has passed.
    func deadlinePassed() -> News {
        switch state {
        case .connecting: end(.connectTimeout)
        case .handshaking: end(.handshakeTimeout)
        case .closing: end(.closedHere, discarding: true)
        case .open, .ended: News()
        }
    }

    /// Seals and writes the queued bytes.
    func flush() -> News {
        isDirty = false
        guard state == .open || state == .closing, !writer.isArmed else { return News() }
        return attempt { news throws(TransportError) in try write(&news) }
    }

    /// Queues `bytes`, which are sealed at the end of the loop iteration; ignored unless open.
    func send(_ bytes: [UInt8]) {
        guard state == .open, !isWriteBroken else { return }
        buffer.append(bytes)
    }

    /// Sends the queued bytes and the end of the stream, and waits for the peer's end.
    func close() -> News {
        switch state {
        case .connecting, .handshaking: return end(.closedHere)
        case .closing, .ended: return News()
        case .open: break
        }
        guard !isWriteBroken else { return end(.closedHere) }
        state = .closing
        setDeadline(owner.settings.closeTimeout)
        readPause.hasObserverWork = false
        resumeReading()
        guard !writer.isArmed else { return News() }
        return attempt { news throws(TransportError) in try write(&news) }
    }

    /// Resets the connection at once.
    func abort() {
        _ = end(.closedHere, discarding: true)
    }

    /// Reads no more; `Transport.pauseReading(from:)` says who needs it.
    func pauseReading() {
        guard state == .open else { return }
        readPause.isPaused = true
        reader?.pause()
    }

    func resumeReading() {
        readPause.isPaused = false
        resumeIfPauseIsOver()
    }

    // MARK: Reading functions

    /// The bytes passed to `send` that the kernel has not accepted yet, sealed or not.
    var unwrittenBytes: Int { buffer.unwrittenBytes }

    /// The bytes that the peer's machine has not acknowledged: unwritten bytes, and bytes in the
    /// kernel.
    var unacknowledgedBytes: Int { unwrittenBytes + Socket.unacknowledgedBytes(descriptor) }

    /// The smoothed round trip time that the kernel has measured.
    var roundTrip: Duration? { Socket.roundTrip(descriptor) }

    // MARK: Steps

    private func startHandshake(_ news: inout News) throws(TransportError) {
        setDeadline(owner.settings.handshakeTimeout)
        let tls = try TLSStream(context: owner.tls, side: dial == nil ? .server : .client(offered))
        self.tls = tls
        reader = ReadSource(descriptor, on: owner.executor, handler: handlers.readReady)
        if dial != nil {
            owner.window.lend(0)
            _ = try tls.handshake()
            try sendOutput()
        }
    }

    /// Reads once; returns false if nothing has arrived.
    private func read(_ tls: TLSStream, _ news: inout News) throws(TransportError) -> Bool {
        let count = try receive()
        guard count > 0 else { return false }
        owner.window.lend(count, records: Work.perTurn / Work.record)
        defer {
            unopened = Array(owner.window.input)
            work += Work.read + owner.window.records * Work.record
        }
        if state == .handshaking {
            guard try tls.handshake() else {
                try sendOutput()
                return true
            }
            state = .open
            deadline = nil
            news.opening = try opening(tls)
        }
        let opened = try tls.open()
        try sendOutput()
        if opened.count > 0, state == .open { news.received = owner.window.slice(opened.count) }
        if opened.isEnd {
            guard state == .open else { throw .closedHere }
            tls.sealEnd()
            try sendOutput()
            throw .closedByPeer
        }
        return true
    }

    /// Fills the window with bytes left from the last turn, or else from the socket; returns their
    /// number.
    private func receive() throws(TransportError) -> Int {
        guard unopened.isEmpty else { return owner.window.refill(with: unopened) }
        switch try Socket.receive(descriptor, into: owner.window.received) {
        case .bytes(0): return 0
        case .bytes(let count):
            owner.counters.bytesReceived += count
            owner.counters.reads += 1
            return count
        case .end: throw isWriteBroken ? .reset : .truncated
        }
    }

    /// The properties of the connection that are known once TLS is complete.
    private func opening(_ tls: TLSStream) throws(TransportError) -> ConnectionOpening {
        guard let peerKey = tls.peerKey(), let exporter = tls.exporter(),
            let spoken = tls.chosenProtocol
        else { throw .violation("no key, no exporter or no protocol") }
        return ConnectionOpening(
            spoken: spoken,
            peerKey: peerKey,
            exporter: exporter,
            dial: dial,
            remote: remote
        )
    }

    private func readAgain() {
        let readReady = handlers.readReady
        let mayBeLast = isHungUp
        owner.executor.queue.async { readReady(mayBeLast) }
    }

    /// Writes as much as the kernel accepts: the sealed bytes, then the queued ones, and then the
    /// end of the stream if the connection is closing.
    private func write(_ news: inout News) throws(TransportError) {
        guard let tls, !isWriteBroken else { return }
        let hadBytes = buffer.unwrittenBytes > 0
        do {
            try buffer.write(to: descriptor, through: tls, for: owner)
        } catch {
            return try writeFailed(error)
        }
        guard buffer.unwrittenBytes == 0 else { return writer.arm() }
        writer.disarm()
        if state == .closing {
            try sendEnd(tls)
        } else {
            news.didDrain = hadBytes && state == .open
        }
    }

    private func sendEnd(_ tls: TLSStream) throws(TransportError) {
        if !didSealEnd {
            didSealEnd = true
            tls.sealEnd()
            try sendOutput()
        }
        if buffer.unwrittenBytes == 0 { Socket.sendEnd(descriptor) }
    }

    /// Sends the output that TLS has left in the window, after the ciphertext that already waits.
    private func sendOutput() throws(TransportError) {
        guard !isWriteBroken else { return owner.window.clearOutput() }
        do {
            try buffer.sendOutput(to: descriptor, for: owner)
        } catch {
            return try writeFailed(error)
        }
        if buffer.isSealed { writer.arm() }
    }

    /// Handles an error of writing.
    ///
    /// If the peer has reset the connection, bytes sent before may still be unread. So the
    /// connection goes on reading until the end of the stream, unless reading is paused.
    private func writeFailed(_ error: TransportError) throws(TransportError) {
        owner.window.clearOutput()
        guard error == .reset, reader != nil, !readPause.isPaused,
            state == .open || state == .closing
        else { throw error }
        isWriteBroken = true
        buffer = WriteBuffer()
        writer.disarm()
    }

    private func setDeadline(_ delay: Duration) {
        let timer =
            deadline ?? LoopTimer(on: owner.executor, handler: handlers.deadlinePassed)
        timer.arm(after: delay)
        deadline = timer
    }

    /// Runs one step; an error ends the connection.
    private func attempt(
        _ step: (inout News) throws(TransportError) -> Void
    ) -> News {
        var news = News()
        do {
            try step(&news)
        } catch {
            // TLS may have left an alert for the peer. An error of sending the alert is ignored,
            // because the connection ends in any case.
            if !isWriteBroken { try? buffer.sendOutput(to: descriptor, for: owner) }
            owner.window.clearOutput()
            news.ended = end(state == .closing ? .closedHere : error).ended
        }
        return news
    }

    private func end(_ reason: TransportError, discarding: Bool = false) -> News {
        guard state != .ended else { return News() }
        state = .ended
        reader?.cancel()
        writer.cancel()
        deadline?.cancel()
        if discarding { Socket.discardOnClose(descriptor) }
        reader = nil
        deadline = nil
        tls = nil
        unopened = []
        buffer = WriteBuffer()
        return News(ended: reason)
    }
}
