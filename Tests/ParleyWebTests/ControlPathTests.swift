import Foundation
import Glibc
import ParleyAPI
import TestSupport
import Testing

/// A command finds the socket of its node, and no other one.
@Suite struct ControlPathTests {
    private let files: TestDirectory
    /// A data directory whose own path is too long for a socket.
    private let data: URL
    private let elsewhere: URL

    init() throws {
        files = try TestDirectory()
        data = files.url.appending(path: String(repeating: "d", count: 120))
        elsewhere = files.url.appending(path: "short")
        for folder in [data, elsewhere] { #expect(mkdir(folder.path, 0o700) == 0) }
        let socket = elsewhere.appending(path: ControlSocket.socketName).path
        let named = data.appending(path: ControlSocket.pathFileName)
        try Data("\(socket)\n".utf8).write(to: named)
    }

    private var found: String { ControlSocket.path(inDataDirectory: data) }

    @Test func aLongPathLeadsToAShortOne() {
        #expect(found == elsewhere.appending(path: ControlSocket.socketName).path)
    }

    /// Regression: once the short folder was gone, another user could make one of its name, and
    /// commands gave invites and messages to whoever listened there.
    @Test(.enabled(if: geteuid() == 0)) func aFolderOfAnotherUserIsNoNode() {
        #expect(chown(elsewhere.path, 65_533, 65_533) == 0)
        #expect(found == data.appending(path: ControlSocket.socketName).path)
        #expect(rmdir(elsewhere.path) == 0)
        #expect(symlink(data.path, elsewhere.path) == 0)
        #expect(lchown(elsewhere.path, 65_533, 65_533) == 0)
        #expect(found == data.appending(path: ControlSocket.socketName).path)
    }
}
