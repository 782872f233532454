package import ParleyCore

/// Makes envelopes by hand, valid or not.
package struct SimulatedAuthor {
    package let crypto: SimulatedCryptography
    package let table: SimulatedConversation
    package var epoch = Epoch(1)
    /// The device on which the author is a guest, and the seat there; nil for a device.
    package var host: (crypto: SimulatedCryptography, seat: SeatNumber)?

    /// The author with this device key in a conversation.
    package init(crypto: SimulatedCryptography, table: SimulatedConversation) {
        self.crypto = crypto
        self.table = table
    }

    package var device: DeviceID {
        let key = crypto.devicePublicKey
        guard let host else { return DeviceID(publicKey: key, using: crypto) }
        let device = DeviceID(publicKey: host.crypto.devicePublicKey, using: crypto)
        return DeviceID(guestKey: key, at: host.seat, of: device, using: crypto)
    }

    package var origin: OriginID {
        OriginID(conversation: table.id, device: device, epoch: epoch, using: crypto)
    }

    package var record: OriginRecord {
        let asGuest = host.map { host in
            host.crypto.sign(
                device.certifiedBytes(asGuestAt: host.seat, in: table.id).span.bytes
            )
        }
        return OriginRecord(
            deviceKey: crypto.devicePublicKey,
            epoch: epoch,
            certificate: asGuest ?? table.certificate(of: device),
            host: hostRecord
        )
    }

    private var hostRecord: OriginHost? {
        host.map { host in
            let key = host.crypto.devicePublicKey
            let certificate = table.certificate(of: DeviceID(publicKey: key, using: crypto))
            return OriginHost(deviceKey: key, certificate: certificate, seat: host.seat)
        }
    }

    package var originFrame: Frame { originFrame(conversation: 0) }

    /// The frame that introduces the origin, on a link where the conversation has this number.
    package func originFrame(conversation: UInt32) -> Frame {
        .origin(OriginFrame(conversation: conversation, record: record))
    }

    package func dot(_ sequence: UInt64) -> Dot { Dot(origin: origin, sequence: sequence) }

    package func tag(_ session: String) -> SessionTag {
        let key = crypto.deriveKey(
            from: table.readKey,
            info: Array("parley tag".utf8).span.bytes
        )
        let bytes = SessionUUID(session: session).bytes
        return SessionTag(crypto.hmac(bytes.span.bytes, key: key).prefix16)
    }

    /// The header of an envelope in a session known by its name.
    package func header(
        _ session: String,
        _ sequence: UInt64,
        revision: UInt64 = 1,
        context: [Dot] = []
    ) -> EnvelopeHeader {
        EnvelopeHeader(
            tag: tag(session),
            dot: dot(sequence),
            revision: revision,
            context: context.sorted()
        )
    }

    /// A signed and sealed envelope with this header.
    package func envelope(
        _ header: EnvelopeHeader,
        session: String,
        text: String,
        blobTypes: [PictureDescription] = [],
        moreItems: [UInt8] = []
    ) -> Slice {
        let body = MessageBody(
            session: SessionUUID(session: session),
            place: 1,
            sentAt: 0,
            url: text,
            layout: .template(TemplateLayout(caption: text)),
            blobTypes: blobTypes
        )
        return envelope(header, body: body, moreItems: moreItems)
    }

    /// Seals and signs a message; `moreItems` are two items that a later version appends to the
    /// header.
    package func envelope(
        _ header: EnvelopeHeader,
        body: MessageBody,
        moreItems: [UInt8] = []
    ) -> Slice {
        var encoded = header.encoded()
        if !moreItems.isEmpty {
            // As a later version may: two more items in the array.
            encoded[0] += 2
            encoded += moreItems
        }
        let headerBytes = Slice(encoded)
        var info = Array("parley body".utf8)
        header.dot.origin.append(to: &info)
        let data = Envelope.associatedData(conversation: table.id, headerBytes: headerBytes)
        let sealed = crypto.seal(
            body.encoded().span.bytes,
            key: crypto.deriveKey(from: table.readKey, info: info.span.bytes),
            nonce: SealNonce(high: 1, low: header.dot.sequence),
            authenticating: data.span.bytes
        )
        let digest = Envelope.digest(
            headerBytes: headerBytes,
            body: Slice(sealed),
            in: table.id,
            using: crypto
        )
        let proof = EnvelopeProof.single(crypto.sign(digest.bytes.span.bytes))
        return Slice(
            Envelope.encode(headerBytes: headerBytes, body: Slice(sealed), proof: proof)
        )
    }

    /// The frame in which an envelope travels, in the conversation of number 0.
    package func frame(_ envelope: Slice, position: UInt64 = 0, hops: UInt8 = 0) -> Frame {
        .envelope(
            EnvelopeFrame(conversation: 0, hops: hops, position: position, envelope: envelope)
        )
    }

    /// A signed and sealed signal.
    package func signal(_ signal: Signal, _ counter: UInt64, hops: UInt8 = 0) -> SignalFrame {
        self.signal(content: signal.encoded(), counter, hops: hops)
    }

    /// A signal with any content.
    package func signal(content: [UInt8], _ counter: UInt64, hops: UInt8 = 0) -> SignalFrame {
        var info = Array("parley signal".utf8)
        origin.append(to: &info)
        let prefix = SignalFrame.prefix(of: dot(counter), in: table.id)
        let sealed = crypto.seal(
            content.span.bytes,
            key: crypto.deriveKey(from: table.readKey, info: info.span.bytes),
            nonce: SealNonce(high: 2, low: counter),
            authenticating: prefix.span.bytes
        )
        return SignalFrame(
            conversation: 0,
            dot: dot(counter),
            hops: hops,
            sealed: Slice(sealed),
            signature: crypto.sign((prefix + sealed).span.bytes)
        )
    }

    /// The disk of a node with a number of sessions of this author.
    package func disk(sessions: Int, ofNode device: DeviceID) -> SimulatedDisk {
        var disk = SimulatedDisk()
        let record = table.record(number: 1, role: .writer, device: device)
        disk.apply([
            .epoch(Epoch(77)), .conversation(record),
            .origin(conversation: 1, origin, self.record),
            .incarnationStarted(conversation: 1, FeedIncarnation(id: 55, start: 0)),
        ])
        for number in 1...UInt64(sessions) {
            let header = header("s\(number)", number)
            let envelope = envelope(header, session: "s\(number)", text: "x")
            let row = SessionRow(
                row: Int64(number),
                conversation: 1,
                tag: header.tag,
                position: number,
                heads: [StoredHead(dot: header.dot, envelope: envelope)],
                lines: .empty
            )
            disk.apply([.session(row)])
        }
        return disk
    }

    /// The announcement of an envelope, with the request that its author adds to a position.
    package func entry(_ envelope: Slice, position: UInt64) -> HaveEntry? {
        // Only envelopes made here are announced, and those can be decoded.
        guard let decoded = try? Envelope(decoding: envelope) else { return nil }
        let head = decoded.head(in: table.id, using: crypto)
        return HaveEntry(
            position: position,
            isAwaited: position > 0,
            tag: decoded.header.tag,
            dot: head.dot,
            revision: head.revision,
            digestPrefix: head.digest.words.0
        )
    }
}
