import Messages
import TestSupport
import Testing

/// Archived messages come back whole, and damaged or foreign archives as errors or nil.
@Suite struct ArchiveTests {
    /// messages-api.md, section 11: `NSSecureCoding` round trip.
    @Test(arguments: [true, false])
    func messagesRoundTrip(isLive: Bool) throws {
        let message = Self.message(isLive: isLive)
        let decoded = try MessageArchive.message(from: MessageArchive.data(of: message))
        #expect(MessageContents(decoded) == MessageContents(message))
        #expect(decoded.session == message.session)
        #expect(decoded.session?.hash == message.session?.hash)
        #expect(decoded.isPending && decoded.senderParticipantIdentifier == .zero)
        #expect((decoded.layout is MSMessageLiveLayout) == isLive)
    }

    @Test func sentMessagesStaySent() throws {
        let message = Self.message(isLive: false)
        let sender = UUID()
        message.status.sent(by: sender)
        message.error = NSError(domain: "a", code: 1)
        let decoded = try MessageArchive.message(from: MessageArchive.data(of: message))
        #expect(!decoded.isPending)
        #expect(decoded.senderParticipantIdentifier == sender)
        #expect(decoded.error == nil)
    }

    @Test func sessionsAndPicturesRoundTrip() throws {
        let session = MSSession()
        let image = UIImage(data: Pictures.png(width: 6, height: 4), scale: 2)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: session,
            requiringSecureCoding: true
        )
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: MSSession.self, from: data) == session
        )
        let picture = try NSKeyedArchiver.archivedData(
            withRootObject: #require(image),
            requiringSecureCoding: true
        )
        let loaded = try NSKeyedUnarchiver.unarchivedObject(ofClass: UIImage.self, from: picture)
        #expect(loaded == image)
        #expect(loaded?.size == CGSize(width: 3, height: 2))
    }

    @Test func refusesWhatIsNoMessage() throws {
        let session = try NSKeyedArchiver.archivedData(
            withRootObject: MSSession(),
            requiringSecureCoding: true
        )
        let name = NSStringFromClass(MSSession.self)
        #expect(throws: MessageArchive.ArchiveError.unexpectedClass(name)) {
            try MessageArchive.message(from: session)
        }
        #expect(throws: MessageArchive.ArchiveError.malformed) {
            try MessageArchive.message(from: Data("not a list".utf8))
        }
        let text = try NSKeyedArchiver.archivedData(
            withRootObject: NSString("text"),
            requiringSecureCoding: true
        )
        #expect(throws: MessageArchive.ArchiveError.improperContents) {
            try MessageArchive.message(from: text)
        }
        // A message by name, with something else inside.
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName(NSStringFromClass(MSMessage.self), for: Impostor.self)
        archiver.encode(Impostor(), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        #expect(throws: MessageArchive.ArchiveError.self) {
            try MessageArchive.message(from: archiver.encodedData)
        }
    }

    /// One flipped byte anywhere is an error or another message, never the end.
    @Test(arguments: 0..<UInt64(8))
    func survivesDamage(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let data = try MessageArchive.data(of: Self.message(isLive: true))
        for _ in 0..<200 {
            var damaged = data
            let index = Int.random(in: 0..<data.count, using: &random)
            damaged[index] = UInt8.random(in: 0...255, using: &random)
            _ = try? MessageArchive.message(from: damaged)
            _ = try? MessageArchive.message(from: damaged.prefix(index))
        }
    }

    /// Regression: Foundation ended the process where a damaged list had a set of things without a
    /// hash, or such a thing as a key.
    @Test(
        arguments: [
            // A set of a set, and a dictionary with a dictionary as its key, each without contents.
            [0xC1, 1, 0xC0], [0xD1, 1, 1, 0xD0],
        ] as [[UInt8]]
    )
    func whatHasNoHashIsRefused(objects: [UInt8]) {
        let second = objects.count - 1
        var list = Array("bplist00".utf8) + objects + [8, UInt8(8 + second)]
        list +=
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 8)
        list += [0, 0, 0, 0, 0, 0, 0, UInt8(8 + objects.count)]
        #expect(throws: MessageArchive.ArchiveError.malformed) {
            try MessageArchive.message(from: Data(list))
        }
    }

    private static func message(isLive: Bool) -> MSMessage {
        let template = MSMessageTemplateLayout()
        template.caption = "Ça va"
        template.trailingSubcaption = ""
        template.image = UIImage(data: Pictures.png(width: 3, height: 4))
        template.mediaFileURL = URL(filePath: "/tmp/a.mov")
        let message = MSMessage(session: MSSession())
        message.url = URL(string: "?a=b&c=%F0%9F%8D%92")
        message.layout = isLive ? MSMessageLiveLayout(alternateLayout: template) : template
        message.summaryText = "Summary"
        message.accessibilityLabel = "Label"
        message.shouldExpire = true
        return message
    }
}

/// Writes a list where a message has its values.
final class Impostor: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    override init() { super.init() }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(Data("[1]".utf8) as NSData, forKey: "parley.value")
    }
}
