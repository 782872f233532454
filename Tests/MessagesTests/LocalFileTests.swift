import Glibc
import Messages
import Testing

/// Files that apps name are read with Apple's codes, and never waited for.
@Suite(.timeLimit(.minutes(20))) struct LocalFileTests {
    @Test func readsWhatIsThere() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "menu.pdf")
        try Data("menu".utf8).write(to: file)
        #expect(try LocalFile(file).read(bytesMax: 4) == Data("menu".utf8))
        let link = folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try LocalFile(link).read(bytesMax: 4) == Data("menu".utf8))
        let empty = folder.appending(path: "empty")
        try Data().write(to: empty)
        #expect(try LocalFile(empty).read(bytesMax: 4).isEmpty)
    }

    @Test func refusesTheRestWithItsCode() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "menu.pdf")
        try Data("menu".utf8).write(to: file)
        let pipe = folder.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(Self.code(file, bytesMax: 3) == .unknown)
        #expect(Self.code(folder.appending(path: "none")) == .fileNotFound)
        #expect(Self.code(folder) == .fileUnreadable)
        #expect(Self.code(pipe) == .fileUnreadable)
        #expect(Self.code(URL(filePath: "/dev/zero")) == .fileUnreadable)
        #expect(Self.code(URL(string: "https://example.com/menu.pdf")) == .improperFileURL)
        #expect(Self.code(URL(string: "?menu.pdf")) == .improperFileURL)
        #expect(Self.code(URL(filePath: "/\u{0}menu")) == .fileNotFound)
    }

    private static func code(_ url: URL?, bytesMax: Int = 100) -> MSMessageErrorCode? {
        guard let url else { return nil }
        do throws(MessagesFailure) {
            _ = try LocalFile(url).read(bytesMax: bytesMax)
            return nil
        } catch {
            return error.code
        }
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
