import COpenSSL
import ParleyCore

/// One TLS 1.3 session without I/O: the owner puts received ciphertext into the window and sends
/// the ciphertext that the session leaves there.
///
/// Legal transitions:
/// - `handshaking -> open`, when `handshake` returns true
/// - any state `-> failed`, when a call throws; `failed` is final
///
/// Before another stream runs, the owner sends `window.output`, also when a call threw: the output
/// may hold an alert.
final class TLSStream {
    /// The plaintext of the largest record.
    static let recordBytes = 16 << 10

    /// The role of the stream in the handshake.
    enum Side {
        /// Offers a protocol, which the other side has to choose.
        case client(TransportProtocol)
        case server
    }

    /// The result of `open`.
    struct Opened {
        /// How many bytes of `window.opened` are plaintext.
        var count = 0
        /// Whether the peer has closed its direction (close_notify).
        var isEnd = false
    }

    private enum State {
        case handshaking
        case open
        case failed
    }

    private let context: TLSContext
    private let pointer: OpaquePointer
    private let side: Side
    private var state = State.handshaking
    /// How many of the first two bytes were checked for TLS.
    private var checkedBytes = 0
    private var recordsUnderKey = 0
    /// How often this side has changed its key.
    private(set) var keyUpdates = 0
    /// The records of the peer since it last changed its key.
    private var recordsOfPeer = 0
    private var tickets = 0

    /// Ignored session tickets that a peer may send, each of which costs a key derivation.
    private static let ticketsMax = 16

    init(context: TLSContext, side: Side) throws(TransportError) {
        guard let pointer = SSL_new(context.pointer) else { throw TLSFailure.setup() }
        guard let bio = context.makeBIO() else {
            SSL_free(pointer)
            throw TLSFailure.setup()
        }
        // According to the manual of SSL_set_bio, one reference serves both directions.
        SSL_set_bio(pointer, bio, bio)
        switch side {
        case .client: SSL_set_connect_state(pointer)
        case .server: SSL_set_accept_state(pointer)
        }
        self.context = context
        self.pointer = pointer
        self.side = side
        guard case .client(let offered) = side else { return }
        guard parley_offer_protocol(pointer, offered.rawValue) == 1 else {
            throw TLSFailure.setup()
        }
    }

    deinit {
        SSL_free(pointer)
    }

    /// Continues the handshake with the ciphertext in the window; returns true when it is complete.
    func handshake() throws(TransportError) -> Bool {
        guard state == .handshaking else { return state == .open }
        try checkFirstBytes()
        ERR_clear_error()
        let result = SSL_do_handshake(pointer)
        guard result == 1 else {
            guard SSL_get_error(pointer, result) == SSL_ERROR_WANT_READ else { throw failure() }
            return false
        }
        guard let chosen = chosenProtocol, offers(chosen) else {
            state = .failed
            throw .wrongProtocol
        }
        state = .open
        return true
    }

    /// Decrypts ciphertext in the window into `window.opened`, as many records as the window
    /// allows; OpenSSL keeps an incomplete record.
    func open() throws(TransportError) -> Opened {
        let opened = try read()
        try checkMessages()
        return opened
    }

    private func read() throws(TransportError) -> Opened {
        var opened = Opened()
        let space = context.window.opened
        guard let start = space.baseAddress else { return opened }
        ERR_clear_error()
        while opened.count < space.count {
            var count = 0
            let result = SSL_read_ex(
                pointer,
                start + opened.count,
                space.count - opened.count,
                &count
            )
            opened.count += count
            if result == 1 { continue }
            switch SSL_get_error(pointer, result) {
            case SSL_ERROR_WANT_READ:
                return opened
            case SSL_ERROR_ZERO_RETURN:
                opened.isEnd = true
                return opened
            default:
                throw failure()
            }
        }
        return opened
    }

    /// Checks the messages that TLS allows after the handshake: each costs far more than its bytes.
    private func checkMessages() throws(TransportError) {
        let window = context.window.state.pointee
        recordsOfPeer += window.records
        tickets += window.tickets
        guard window.key_requests == 0 else { throw forbid("a request to change the key") }
        guard tickets <= Self.ticketsMax else { throw forbid("too many session tickets") }
        guard window.key_updates > 0 else { return }
        guard recordsOfPeer >= context.recordsBetweenKeyUpdates else {
            throw forbid("key updates that follow too closely")
        }
        recordsOfPeer = 0
    }

    private func forbid(_ what: String) -> TransportError {
        state = .failed
        return .violation(what)
    }

    /// Seals `bytes` in records of the greatest possible size.
    func seal(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard bytes.count > 0 else { return }
        let records = (bytes.count + Self.recordBytes - 1) / Self.recordBytes
        ERR_clear_error()
        if recordsUnderKey > 0, recordsUnderKey + records > context.recordsPerKey {
            guard SSL_key_update(pointer, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 else {
                throw failure()
            }
            recordsUnderKey = 0
            keyUpdates += 1
        }
        recordsUnderKey += records
        var written = 0
        let result = SSL_write_ex(pointer, bytes.baseAddress, bytes.count, &written)
        guard result == 1, written == bytes.count else { throw failure() }
    }

    /// Closes this direction (close_notify).
    func sealEnd() {
        guard state == .open else { return }
        ERR_clear_error()
        SSL_shutdown(pointer)
    }

    /// The peer's raw Ed25519 public key; nil before the handshake is complete.
    func peerKey() -> Bytes32? {
        guard let certificate = SSL_get0_peer_certificate(pointer),
            let key = X509_get0_pubkey(certificate)
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Bytes32.count)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == Bytes32.count else {
            return nil
        }
        return Bytes32(bytes)
    }

    /// The exporter of RFC 8446, section 7.5: 32 bytes that only the two ends know; nil before the
    /// handshake is complete.
    func exporter() -> Bytes32? {
        guard state == .open else { return nil }
        let label = "EXPORTER-parley"
        var bytes = [UInt8](repeating: 0, count: Bytes32.count)
        let result = SSL_export_keying_material(
            pointer,
            &bytes,
            bytes.count,
            label,
            label.utf8.count,
            nil,
            0,
            0
        )
        return result == 1 ? Bytes32(bytes) : nil
    }

    /// The protocol that the server has chosen.
    var chosenProtocol: TransportProtocol? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(pointer, &name, &count)
        let bytes = UnsafeBufferPointer(start: name, count: Int(count))
        return TransportProtocol(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    private func offers(_ chosen: TransportProtocol) -> Bool {
        guard case .client(let offered) = side else { return true }
        return chosen == offered
    }

    /// Checks that the first record is a handshake record or an alert of any version of TLS.
    private func checkFirstBytes() throws(TransportError) {
        let window = context.window.state.pointee
        for index in 0..<min(window.input_count, 2 - checkedBytes) {
            let byte = window.input[index]
            let isRight = checkedBytes == 0 ? byte == 0x16 || byte == 0x15 : byte == 0x03
            guard isRight else {
                state = .failed
                throw .notTLS
            }
            checkedBytes += 1
        }
    }

    private func failure() -> TransportError {
        state = .failed
        return TLSFailure.reason(of: pointer)
    }
}
