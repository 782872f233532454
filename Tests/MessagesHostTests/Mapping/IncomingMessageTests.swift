import Foundation
import Messages
import MessagesHost
import ParleyNode
import Testing

/// Messages that describe their picture wrongly, which only a peer with other software can send.
@Suite(.timeLimit(.minutes(5)))
struct IncomingMessageTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "parley-host-\(UUID().uuidString)")

    private func message(number: Int = 1, _ picture: PictureInfo) throws -> Message {
        var content = MessageContent()
        content.url = "?a"
        content.layout = ContentLayout()
        return Message(
            session: SessionID(),
            id: try #require(MessageID(String(repeating: "b", count: 32) + "-\(number)")),
            revision: 1,
            sender: Participant(id: UUID(), device: "BEN", name: nil),
            sentAt: Date(timeIntervalSince1970: 0),
            content: content,
            picture: picture
        )
    }

    private func contents(_ message: Message, _ bytes: Data?) -> Result<
        MessageContents, MessageFault
    > {
        Result { () throws(MessageFault) in
            try IncomingMessage.contents(
                of: message,
                picture: bytes,
                media: MediaFiles(directory: folder)
            )
        }
    }

    /// Regression: the folder of sounds and movies lies where everybody may make one.
    @Test func aFolderOfAnotherUserIsNotUsed() throws {
        let elsewhere = folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        let link = folder.appending(path: "media")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: elsewhere)
        var folders = [link]
        if geteuid() == 0 {
            let foreign = folder.appending(path: "foreign")
            try FileManager.default.createDirectory(
                at: foreign,
                withIntermediateDirectories: true
            )
            #expect(chown(foreign.path, 65_533, 65_533) == 0)
            folders.append(foreign)
        }
        for folder in folders {
            let media = MediaFiles(directory: folder)
            #expect(throws: MessageFault.self) {
                try media.keep(Data("x".utf8), name: "a", fileExtension: "m")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
        let own = folder.appending(path: "own")
        let kept = try MediaFiles(directory: own)
            .keep(Data("x".utf8), name: "a", fileExtension: "m")
        #expect(try Data(contentsOf: kept) == Data("x".utf8))
    }

    @Test(arguments: [Int.min, -1, 0, 1, 1 << 40, .max])
    func aPictureOfAnotherSizeIsRefused(said: Int) throws {
        let picture = PictureInfo(sha256: "", type: "image/gif", bytes: said, isHere: true)
        let found = Pictures.gif.count
        #expect(
            contents(try message(picture), Data(Pictures.gif))
                == .failure(.pictureSize(said: said, found: found))
        )
        #expect(contents(try message(picture), nil) == .failure(.pictureMissing))
    }

    @Test(
        arguments: [
            "", "image", "image/", "IMAGE/GIF; charset=x", "image/gif\u{0}", "video/", "text/html",
            "image/svg+xml", String(repeating: "x/", count: 10_000),
        ]
    )
    func aPictureOfAnotherTypeIsRefused(type: String) throws {
        let count = Pictures.gif.count
        let picture = PictureInfo(sha256: "", type: type, bytes: count, isHere: true)
        #expect(throws: MessageFault.self) {
            try contents(try message(picture), Data(Pictures.gif)).get()
        }
    }

    /// The hash that a message says is the sender's word, and no name for a file.
    @Test(arguments: [String(repeating: "0", count: 64), "../../../tmp/x", "", "a/b"])
    func mediaOfTwoMessagesAreTwoFiles(hash: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for number in 1...2 {
            let bytes = Data(repeating: UInt8(number), count: 8)
            let picture = PictureInfo(sha256: hash, type: "video/mp4", bytes: 8, isHere: true)
            let found = try contents(try message(number: number, picture), bytes).get()
            let file = try #require(found.layout?.template.mediaFileURL)
            #expect(try Data(contentsOf: file) == bytes)
            #expect(file.deletingLastPathComponent().standardizedFileURL.path == folder.path)
        }
    }

    /// Nobody else on the machine can have made the directory before.
    @Test func theDirectoryOfMediaIsNotGuessed() throws {
        let picture = PictureInfo(sha256: "", type: "audio/mpeg", bytes: 1, isHere: true)
        var folders: Set<URL> = []
        for _ in 1...2 {
            let media = HostSettings().media
            let found = try IncomingMessage.contents(
                of: try message(picture),
                picture: Data([1]),
                media: media
            )
            let file = try #require(found.layout?.template.mediaFileURL)
            let folder = file.deletingLastPathComponent()
            folders.insert(folder)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        }
        #expect(folders.count == 2)
        // It goes with its last user.
        #expect(!folders.contains { FileManager.default.fileExists(atPath: $0.path) })
    }
}
