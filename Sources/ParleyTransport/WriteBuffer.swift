import ParleyLoop

/// The bytes of one connection to be written: plaintext to seal, and ciphertext for the kernel.
///
/// Plaintext is sealed only when no ciphertext waits, so the ciphertext is never more than one call
/// of `write` seals.
struct WriteBuffer {
    /// The limit of waiting ciphertext.
    ///
    /// Only answers of TLS to a peer that does not read can exceed the limit.
    private static let sealedMax = 4 << 20

    /// How many bytes of records are gathered for one call; the last record may exceed this.
    private static let bytesTogether = 48 << 10

    private var plain = PlainQueue()
    private var sealed: [UInt8] = []
    private var sealedStart = 0

    /// The bytes that the kernel has not accepted yet.
    var unwrittenBytes: Int { plain.count + sealed.count - sealedStart }

    /// Whether ciphertext waits for the kernel.
    var isSealed: Bool { !sealed.isEmpty }

    /// Appends `bytes` to the plaintext that waits.
    mutating func append(_ bytes: [UInt8]) {
        plain.append(bytes)
    }

    /// Seals and writes until the kernel accepts no more or `writeBytes` of the settings are
    /// sealed.
    mutating func write(
        to descriptor: Descriptor,
        through tls: TLSStream,
        for owner: ConnectionOwner
    ) throws(TransportError) {
        guard try writeSealed(to: descriptor, for: owner), !plain.isEmpty else { return }
        owner.counters.flushes += 1
        var budget = owner.settings.writeBytes
        while budget > 0, !plain.isEmpty, !isSealed {
            let updates = tls.keyUpdates
            repeat {
                budget -= try seal(through: tls, for: owner)
            } while budget > 0 && !plain.isEmpty && owner.window.output.count < Self.bytesTogether
            owner.counters.keyUpdates += tls.keyUpdates - updates
            try sendOutput(to: descriptor, for: owner)
        }
    }

    /// Writes the output that TLS has left in the window, after the ciphertext that waits.
    mutating func sendOutput(
        to descriptor: Descriptor,
        for owner: ConnectionOwner
    ) throws(TransportError) {
        let output = owner.window.output
        guard output.count > 0 else { return }
        defer { owner.window.clearOutput() }
        var sent = 0
        if !isSealed {
            sent = try Socket.send(descriptor, output)
            owner.counters.sent(sent)
        }
        guard sent < output.count else { return }
        sealed.append(contentsOf: UnsafeRawBufferPointer(rebasing: output[sent...]))
        if sealed.count - sealedStart > Self.sealedMax { throw .unread }
    }

    /// Seals the next bytes and returns how many they were.
    private mutating func seal(
        through tls: TLSStream,
        for owner: ConnectionOwner
    ) throws(TransportError) -> Int {
        var failure: TransportError?
        let count = plain.take(owner.settings.readBytes, gatheringIn: owner.window.gathered) {
            do throws(TransportError) { try tls.seal($0) } catch { failure = error }
        }
        if let failure { throw failure }
        return count
    }

    /// Writes the ciphertext that waits; returns true if none is left.
    private mutating func writeSealed(
        to descriptor: Descriptor,
        for owner: ConnectionOwner
    ) throws(TransportError) -> Bool {
        guard isSealed else { return true }
        var failure: TransportError?
        var sent = 0
        sealed.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sealedStart...])
            do throws(TransportError) { sent = try Socket.send(descriptor, rest) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        owner.counters.sent(sent)
        sealedStart += sent
        guard sealedStart == sealed.count else { return false }
        sealed = []
        sealedStart = 0
        return true
    }
}
