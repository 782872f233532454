import ParleyCore
import ParleyKeys

/// The messages of `envelope.json`: two that follow one another, three that one device writes at
/// once in other sessions, a sticker on the second, and one of each kind that is not an app's.
struct SampleMessage {
    let name: String
    let author: Int
    let header: EnvelopeHeader
    let body: MessageBody
    let nonce: SealNonce

    /// A picture of the second message.
    struct SealedPicture {
        let author: Int
        let content: [UInt8]
        let nonce: SealNonce
        let sealed: [UInt8]
        let id: BlobID
    }

    /// 2026-01-01, in milliseconds since 1970.
    static let newYear: Int64 = 1_767_225_600_000

    static func all(_ world: World) -> [SampleMessage] {
        [first(world), reply(world), inline(world), live(world), end(world), sticker(world)]
            + kinds(world)
    }

    static func picture(_ world: World) -> SealedPicture {
        let content = (0..<100).map { UInt8($0) }
        let nonce = world.nonce(0x30)
        let id = world.conversation.bytes
        let sealed = world.crypto(1).seal(
            content.span.bytes,
            key: world.derived("parley blob", world.origin(1).bytes),
            nonce: nonce,
            authenticating: id.span.bytes
        )
        return SealedPicture(
            author: 1,
            content: content,
            nonce: nonce,
            sealed: sealed,
            id: BlobID(world.crypto(1).sha256(sealed))
        )
    }

    /// The first message of a session, as small as one of an app is.
    private static func first(_ world: World) -> SampleMessage {
        SampleMessage(
            name: "first",
            author: 0,
            header: EnvelopeHeader(
                tag: world.tag(world.sessions[0]),
                dot: Dot(origin: world.origin(0), sequence: 1),
                revision: 1
            ),
            body: MessageBody(
                session: world.sessions[0],
                place: 1,
                sentAt: newYear,
                app: "org.example.chess",
                url: "https://example.org/chess?e2e4",
                layout: .template(TemplateLayout(caption: "1. e4"))
            ),
            nonce: world.nonce(0)
        )
    }

    /// Replaces the first, by another device, with a picture, and only the first may go on.
    private static func reply(_ world: World) -> SampleMessage {
        let picture = picture(world)
        let described = PictureDescription(
            type: "image/png",
            hash: world.crypto(1).sha256(picture.content),
            size: UInt64(picture.content.count)
        )
        return SampleMessage(
            name: "reply",
            author: 1,
            header: EnvelopeHeader(
                tag: world.tag(world.sessions[0]),
                dot: Dot(origin: world.origin(1), sequence: 1),
                revision: 2,
                context: [Dot(origin: world.origin(0), sequence: 1)],
                next: [world.participant(0)],
                blobs: [BlobReference(id: picture.id, size: UInt64(picture.sealed.count))]
            ),
            body: MessageBody(
                session: world.sessions[0],
                place: 2,
                sentAt: newYear + 60_000,
                app: "org.example.chess",
                url: "https://example.org/chess?e2e4,e7e5",
                summaryText: "Black played e5",
                accessibilityLabel: "A chess board after e4 e5",
                layout: .template(
                    TemplateLayout(
                        caption: "1. e4 e5",
                        subcaption: "White to move",
                        trailingCaption: "",
                        image: .blob(0)
                    )
                ),
                blobTypes: [described],
                deviceName: "kitchen"
            ),
            nonce: world.nonce(0x10)
        )
    }

    private static func inline(_ world: World) -> SampleMessage {
        SampleMessage(
            name: "batch of three, inline picture",
            author: 0,
            header: header(world, session: 1, sequence: 2),
            body: MessageBody(
                session: world.sessions[1],
                place: 3,
                sentAt: newYear + 120_000,
                layout: .template(TemplateLayout(image: .inline)),
                inline: InlinePicture(type: "image/png", bytes: Slice([1, 2, 3]))
            ),
            nonce: world.nonce(0x40)
        )
    }

    private static func live(_ world: World) -> SampleMessage {
        SampleMessage(
            name: "batch of three, live layout",
            author: 0,
            header: header(world, session: 2, sequence: 3),
            body: MessageBody(
                session: world.sessions[2],
                place: 4,
                sentAt: -1,
                url: "https://example.org/?ä",
                shouldExpire: true,
                layout: .live(
                    alternate: TemplateLayout(
                        trailingCaption: "b",
                        trailingSubcaption: "d",
                        imageTitle: "t",
                        imageSubtitle: "s"
                    )
                )
            ),
            nonce: world.nonce(0x50)
        )
    }

    private static func end(_ world: World) -> SampleMessage {
        SampleMessage(
            name: "batch of three, tombstone",
            author: 0,
            header: header(world, session: 3, sequence: 4, isTombstone: true),
            body: MessageBody(session: world.sessions[3], place: 5, sentAt: 0),
            nonce: world.nonce(0x60)
        )
    }

    /// Placed on the reply by its author, who alone may go on in the session.
    private static func sticker(_ world: World) -> SampleMessage {
        let named = Array(world.participant(1).bytes[..<8])
        let random = [0x80] + world.sessions[1].bytes[9...]
        let session = SessionUUID(Bytes16(reading: Slice(named + random), at: 0))
        return SampleMessage(
            name: "sticker on the reply",
            author: 1,
            header: EnvelopeHeader(
                tag: world.tag(session),
                dot: Dot(origin: world.origin(1), sequence: 2),
                revision: 1,
                next: [world.participant(1)]
            ),
            body: MessageBody(
                session: session,
                place: 6,
                sentAt: newYear + 180_000,
                app: "parley.sticker",
                accessibilityLabel: "A star",
                layout: .template(TemplateLayout(image: .inline)),
                placement: StickerPlacement(
                    on: Dot(origin: world.origin(1), sequence: 1),
                    x: 2_500,
                    y: 10_000
                ),
                inline: InlinePicture(type: "image/png", bytes: Slice([1, 2, 3]))
            ),
            nonce: world.nonce(0x70)
        )
    }

    private static func header(
        _ world: World,
        session: Int,
        sequence: UInt64,
        isTombstone: Bool = false
    ) -> EnvelopeHeader {
        EnvelopeHeader(
            tag: world.tag(world.sessions[session]),
            dot: Dot(origin: world.origin(0), sequence: sequence),
            revision: 1,
            isTombstone: isTombstone
        )
    }
}
