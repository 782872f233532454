import Foundation
import Messages
import MessagesHost
import MessagesTesting
import Testing

/// The folders in which apps keep files.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AppFolderTests {
    /// The folder of an app with any ID is directly inside of the directory, and its own.
    @Test func everyAppHasOneFolderInside() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let folders = AppFolders(directory: directory)
        let ids = [
            "org.example.game", "org.example.Game", ".", "..", "../other", "a/b", "a%2Fb", "é", " ",
            "%", "\0",
        ]
        var paths: Set<String> = []
        for id in ids {
            let folder = try #require(folders.folder(of: id), "\(id)")
            #expect(folder.deletingLastPathComponent().path == directory.path, "\(id)")
            paths.insert(folder.standardizedFileURL.path)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        #expect(paths.count == ids.count)
        #expect(paths.allSatisfy { $0.hasPrefix(directory.path + "/") })
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).count == ids.count
        )
    }

    @Test func aFolderThatCannotBeMadeIsNone() throws {
        #expect(AppFolders(directory: URL(filePath: "/dev/null/apps")).folder(of: "game") == nil)
        let long = String(repeating: "/", count: 255)
        let directory = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        #expect(AppFolders(directory: directory).folder(of: long) == nil)
    }

    /// Two people have two folders, and find their files again after a restart.
    @Test func filesOutlastARestart() throws {
        let table = try Table()
        try table.ann.open()
        try table.ben.open()
        let folder = try #require(table.ann.controller(Probe.self)?.documentsDirectory)
        #expect(table.ben.controller(Probe.self)?.documentsDirectory != folder)
        try Data("7".utf8).write(to: folder.appending(path: "score"))
        table.ann.goAway()
        table.ann.comeBack()
        try table.ann.open()
        let again = try #require(table.ann.controller(Probe.self)?.documentsDirectory)
        #expect(try Data(contentsOf: again.appending(path: "score")) == Data("7".utf8))
    }
}
