/// The seal of the receipts of a device for an author in a conversation.
///
/// The key follows from the keys of both devices, so nobody else can make or open a receipt; and
/// from the read key, so no relay can.
package struct ReceiptSeal: Sendable {
    /// The name of the device in its receipts.
    package let id: UInt64
    private let key: Bytes32

    /// The seal of `device`, with the raw Ed25519 key of whichever of the two is the other one; nil
    /// without the read key, and for a key with a part of small order.
    package init?(
        of device: DeviceID,
        for author: DeviceID,
        otherKey: Bytes32,
        keys: ConversationKeys,
        using crypto: some Cryptography
    ) {
        guard let receiptKey = keys.receiptKey(using: crypto),
            let shared = crypto.agree(withDevice: otherKey)
        else { return nil }
        let info =
            Array("parley pair 1".utf8) + keys.id.bytes
            + min(device, author).bytes + max(device, author).bytes
        let pair = crypto.deriveKey(from: shared, info: info.span.bytes)
        id = crypto.hmac(Array("id".utf8).span.bytes, key: pair).words.0
        let purpose = Array("receipt".utf8) + device.bytes + receiptKey.bytes
        key = crypto.deriveKey(from: pair, info: purpose.span.bytes)
    }

    /// A receipt for up to four runs of sequences of an origin.
    package func receipt(
        _ runs: ArraySlice<ClosedRange<UInt64>>,
        of origin: OriginID,
        counter: UInt64,
        using crypto: some Cryptography
    ) -> Receipt {
        Self.seal(SequenceRuns.pack(runs), id, origin, counter, by: key, using: crypto)
    }

    /// The runs in a receipt; nil if it is not of this seal and origin.
    package func opened(
        _ receipt: Receipt,
        of origin: OriginID,
        using crypto: some Cryptography
    ) -> [ClosedRange<UInt64>]? {
        guard receipt.device == id else { return nil }
        return Self.open(receipt, origin, by: key, using: crypto).flatMap(SequenceRuns.unpack)
    }

    // MARK: Introductions

    /// A receipt with the raw Ed25519 key of the device, for authors without the key; every reader
    /// of the conversation can open the receipt.
    package func introduction(
        of deviceKey: Bytes32,
        to origin: OriginID,
        counter: UInt64,
        keys: ConversationKeys,
        using crypto: some Cryptography
    ) -> Receipt? {
        Self.introductionKey(id, origin, keys, using: crypto)
            .map { Self.seal(deviceKey.bytes, id, origin, counter, by: $0, using: crypto) }
    }

    /// The key in an introduction; nil for other receipts.
    package static func introduced(
        by receipt: Receipt,
        to origin: OriginID,
        keys: ConversationKeys,
        using crypto: some Cryptography
    ) -> Bytes32? {
        introductionKey(receipt.device, origin, keys, using: crypto)
            .flatMap { open(receipt, origin, by: $0, using: crypto) }
            .map { Bytes32(reading: $0, at: 0) }
    }

    private static func introductionKey(
        _ id: UInt64,
        _ origin: OriginID,
        _ keys: ConversationKeys,
        using crypto: some Cryptography
    ) -> Bytes32? {
        guard let receiptKey = keys.receiptKey(using: crypto) else { return nil }
        var info = Array("introduction".utf8) + origin.bytes
        info.appendBigEndian(id)
        return crypto.deriveKey(from: receiptKey, info: info.span.bytes)
    }

    // MARK: Sealing

    /// What sealing authenticates: "parley receipt 1" ‖ origin ‖ u64 device ‖ u64 counter.
    private static func prefix(_ id: UInt64, _ origin: OriginID, _ counter: UInt64) -> [UInt8] {
        var bytes = Array("parley receipt 1".utf8) + origin.bytes
        bytes.appendBigEndian(id)
        bytes.appendBigEndian(counter)
        return bytes
    }

    private static func seal(
        _ content: [UInt8],
        _ id: UInt64,
        _ origin: OriginID,
        _ counter: UInt64,
        by key: Bytes32,
        using crypto: some Cryptography
    ) -> Receipt {
        let padding = [UInt8](repeating: 0, count: Receipt.contentBytes - content.count)
        let sealed = crypto.seal(
            (content + padding).span.bytes,
            key: key,
            nonce: SealNonce(high: 0, low: counter),
            authenticating: prefix(id, origin, counter).span.bytes
        )
        // The nonce follows from the counter.
        return Receipt(
            device: id,
            counter: counter,
            sealed: Slice(Array(sealed.dropFirst(SealNonce.count)))
        )
    }

    private static func open(
        _ receipt: Receipt,
        _ origin: OriginID,
        by key: Bytes32,
        using crypto: some Cryptography
    ) -> Slice? {
        let nonce = SealNonce(high: 0, low: receipt.counter)
        let sealed = nonce.bytes + receipt.sealed.bytes
        let prefix = prefix(receipt.device, origin, receipt.counter)
        return crypto.open(sealed.span.bytes, key: key, authenticating: prefix.span.bytes)
            .map { Slice($0) }
    }
}
