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
    /// Whether the connection is in the owner's list of connections with bytes to seal.
    var isDirty = false
    /// Whether the owner has reported this connection as open.
    var wasTold = false

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

    /// The events that follow from one input, in the order in which the owner reports them.
    struct News {
        var opening: ConnectionOpening?
        var received: Slice?
        var didDrain = false
        var ended: TransportError?
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
    /// Writing has failed because the peer does not read any more; bytes that it sent before are
    /// still read.
    private var isWriteBroken = false
    /// The read source may not call again although the end of the stream was not read yet.
    private var isHungUp = false
    /// The closing record (close_notify) was sealed.
    private var didSealEnd = false

    /// Makes a connection on `descriptor`, which is connected, or is connecting if `dial` is not
    /// nil.
    init(
        _ id: ConnectionID,
        on descriptor: Descriptor,
        to remote: SocketAddress,
        dial: TransportDialID?,
        owner: ConnectionOwner,
        handlers: Handlers
    ) {
        self.id = id
        self.descriptor = descriptor
        self.remote = remote
        self.dial = dial
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
    /// If this may be the last call of the source, the connection schedules further reads itself.
    func readReady(mayBeLast: Bool) -> News {
        guard let tls, state != .ended else { return News() }
        if mayBeLast { isHungUp = true }
        guard reader?.isPaused == false else { return News() }
        return attempt { news throws(TransportError) in
            let hasRead = try read(tls, &news)
            if isHungUp, hasRead { readAgain() }
        }
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
        reader?.pause()
    }

    func resumeReading() {
        guard let reader, reader.isPaused else { return }
        reader.resume()
        if isHungUp { readAgain() }
    }

    // MARK: Reading functions

    /// The bytes passed to `send` that the kernel has not accepted yet, sealed or not.
    var unwrittenBytes: Int { buffer.unwrittenBytes }

    /// The bytes that the peer's machine has not acknowledged: unwritten ones, and sealed ones in
    /// the kernel.
    var unacknowledgedBytes: Int { unwrittenBytes + Socket.unacknowledgedBytes(descriptor) }

    /// The smoothed round trip time that the kernel has measured.
    var roundTrip: Duration? { Socket.roundTrip(descriptor) }

    // MARK: Steps

    private func startHandshake(_ news: inout News) throws(TransportError) {
        setDeadline(owner.settings.handshakeTimeout)
        let tls = try TLSStream(context: owner.tls, side: dial == nil ? .server : .client)
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
        let count: Int
        switch try Socket.receive(descriptor, into: owner.window.received) {
        case .bytes(0): return false
        case .bytes(let bytes): count = bytes
        case .end: throw isWriteBroken ? .reset : .truncated
        }
        owner.counters.bytesReceived += count
        owner.counters.reads += 1
        owner.window.lend(count)
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

    /// The properties of the connection that are known once TLS is complete.
    private func opening(_ tls: TLSStream) throws(TransportError) -> ConnectionOpening {
        guard let peerKey = tls.peerKey(), let exporter = tls.exporter() else {
            throw .violation("no key or no exporter")
        }
        return ConnectionOpening(
            peerKey: peerKey,
            exporter: exporter,
            dial: dial,
            remote: remote
        )
    }

    private func readAgain() {
        let readReady = handlers.readReady
        owner.executor.queue.async { readReady(true) }
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
    /// If the peer has reset the connection, bytes that it sent before may still be unread. So the
    /// connection goes on reading and ends there, unless reading is paused.
    private func writeFailed(_ error: TransportError) throws(TransportError) {
        owner.window.clearOutput()
        let isReading = reader.map { !$0.isPaused } ?? false
        guard error == .reset, isReading, state == .open || state == .closing else { throw error }
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

    /// Runs one step; an error that it throws ends the connection.
    private func attempt(
        _ step: (inout News) throws(TransportError) -> Void
    ) -> News {
        var news = News()
        do {
            try step(&news)
        } catch {
            // TLS may have left an alert for the peer. An error of sending it is ignored, because
            // the connection ends in any case.
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
        buffer = WriteBuffer()
        return News(ended: reason)
    }
}
