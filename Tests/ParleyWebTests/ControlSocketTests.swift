import Foundation
import Glibc
import ParleyAPI
import ParleyWeb
import Testing

/// The path of the control socket is one that only this user can reach.
struct ControlSocketTests {
    private let root = FileManager.default.temporaryDirectory
        .appending(path: "parley-socket-\(UUID().uuidString.prefix(8))")

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    @Test func itIsInTheDataDirectory() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let path = root.appending(path: "control.sock").path
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try ControlSocket.prepare(inDataDirectory: root) == path)
        #expect(mode(of: path) == nil, "an old socket is removed")
        #expect(ControlSocket.path(inDataDirectory: root) == path)
    }

    /// Regression: the error of a later call was told as a bug of the program.
    @Test func whatIsInItsPlaceIsNamed() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let path = root.appending(path: "control.sock").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let problem = #expect(throws: Problem.self) {
            try ControlSocket.prepare(inDataDirectory: root)
        }
        #expect(problem?.kind == .dataDirectoryUnusable)
        #expect(problem?.message.contains(path) == true)
        #expect(problem?.hint.contains("Move it away") == true)
        #expect(mode(of: path) != nil)
        let long = root.appending(path: String(repeating: "a", count: 100))
        let inTheWay = long.appending(path: "control.path")
        try FileManager.default.createDirectory(at: inTheWay, withIntermediateDirectories: true)
        let other = #expect(throws: Problem.self) {
            try ControlSocket.prepare(inDataDirectory: long)
        }
        #expect(other?.kind == .dataDirectoryUnusable)
        #expect(other?.message.contains(inTheWay.path) == true)
    }

    /// Regression: the folder of a node that had stopped stayed until the next start.
    @Test func aFolderOfItsOwnGoesWithIt() throws {
        let long = root.appending(path: String(repeating: "a", count: 100))
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: long, withIntermediateDirectories: true)
        let first = try ControlSocket.prepare(inDataDirectory: long)
        try Data().write(to: URL(fileURLWithPath: first))
        ControlSocket.removeFolder(ofSocket: first, of: long)
        #expect(mode(of: parent(of: first)) == nil)
        #expect(ControlSocket.path(inDataDirectory: long).hasPrefix(long.path))
        let short = root.appending(path: "control.sock").path
        try Data().write(to: URL(fileURLWithPath: short))
        ControlSocket.removeFolder(ofSocket: short, of: root)
        #expect(mode(of: short) != nil, "another node may have begun there")
    }

    /// Regression: sockets that killed nodes had left behind stayed, and while one was made the
    /// mask for new files of the whole process was changed.
    @Test func aLongPathHasADirectoryOfItsOwn() throws {
        let long = root.appending(path: String(repeating: "a", count: 100))
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: long, withIntermediateDirectories: true)
        let first = try ControlSocket.prepare(inDataDirectory: long)
        try Data().write(to: URL(fileURLWithPath: first))
        #expect(first.utf8.count <= ControlSocket.pathBytesMax)
        #expect(ControlSocket.path(inDataDirectory: long) == first)
        #expect(mode(of: parent(of: first)) == 0o700)
        let second = try ControlSocket.prepare(inDataDirectory: long)
        #expect(second != first)
        #expect(mode(of: parent(of: first)) == nil, "a killed node leaves nothing behind for ever")
        #expect(mode(of: parent(of: second)) == 0o700)
        let copy = root.appending(path: String(repeating: "b", count: 100))
        try FileManager.default.copyItem(at: long, to: copy)
        let third = try ControlSocket.prepare(inDataDirectory: copy)
        #expect(mode(of: parent(of: second)) == 0o700, "the original may be running")
        for path in [second, third] {
            try FileManager.default.removeItem(atPath: parent(of: path))
        }
    }
}
