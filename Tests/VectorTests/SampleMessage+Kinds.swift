import ParleyCore

extension SampleMessage {
    /// A text, a file, the last message of a turn game, and a reaction.
    static func kinds(_ world: World) -> [SampleMessage] {
        let text = String(repeating: "A long evening. ", count: 80)
        let file = FileDescription(
            name: "film.mkv",
            type: "video/x-matroska",
            hash: thirtyTwo(from: 0x20),
            size: 5_000_000_000,
            port: 27_275
        )
        let match = MatchState(
            phase: .over,
            size: 2...4,
            seats: [world.participant(1), world.participant(0)],
            clock: 60,
            outcomes: [MatchOutcome(.won, place: 1, score: 12), MatchOutcome(.quit, score: -3)],
            claim: MatchClaim(.ends, after: Dot(origin: world.origin(0), sequence: 1)),
            previous: world.sessions[2],
            overruled: [Dot(origin: world.origin(0), sequence: 9)]
        )
        let thumb = Slice(Array("👍".utf8))
        let reaction = SideMessage(to: world.sessions[0], .reaction, content: thumb)
        let layout = { MessageLayout.template(TemplateLayout(caption: $0)) }
        return [
            kind(world, "text that replies", 3) { body in
                body.layout = layout(String(text.prefix(1_000)))
                (body.text, body.reply) = (text, world.sessions[0])
            },
            kind(world, "file that is offered", 4) { body in
                body.app = "parley.attachment"
                body.layout = layout(file.name)
                body.file = file
            },
            kind(world, "end of a turn game", 5) { body in
                body.app = "org.example.chess"
                body.url = "https://example.org/chess?end"
                body.role = .match(match)
            },
            kind(world, "reaction", 6) { $0.role = .side(reaction) },
        ]
    }

    /// A message of the second device in a session of its own.
    private static func kind(
        _ world: World,
        _ name: String,
        _ sequence: UInt64,
        _ fill: (inout MessageBody) -> Void
    ) -> SampleMessage {
        let session = SessionUUID(sixteen(from: 0x80 + UInt8(sequence)))
        let header = EnvelopeHeader(
            tag: world.tag(session),
            dot: Dot(origin: world.origin(1), sequence: sequence),
            revision: 1
        )
        var body = MessageBody(session: session, place: 4 + sequence, sentAt: newYear)
        fill(&body)
        return SampleMessage(
            name: name,
            author: 1,
            header: header,
            body: body,
            nonce: world.nonce(0x80 + UInt8(sequence) * 0x10)
        )
    }
}
