import Foundation
import ParleyCore
import ParleyKeys
import Synchronization
import TestSupport
import Testing

@Suite struct DeviceKeyFileTests {
    private let directory: TestDirectory
    private let file: DeviceKeyFile

    init() throws {
        directory = try TestDirectory()
        file = DeviceKeyFile(path: directory.path("device.key"))
    }

    @Test func makesTheKeyOnceWithMode0600() throws {
        let made = try file.loadOrMake()
        #expect(try file.loadOrMake() == made)
        #expect(try file.load().rawPrivateKey == made.rawPrivateKey)
        #expect(try mode() == 0o600)
        #expect(try directory.names == ["device.key"])
    }

    /// Regression: without space for another key there was none.
    @Test func aReplacementThatFailsChangesNothing() throws {
        let made = try file.loadOrMake()
        let earlier = directory.path("missing/earlier")
        #expect(throws: DeviceKeyError.cannotCreate(path: file.path, code: ENOENT)) {
            try file.replace(keeping: earlier)
        }
        #expect(try file.load() == made && directory.names == ["device.key"])
        try file.replace(keeping: directory.path("earlier"))
        #expect(try file.load() != made && directory.names == ["device.key", "earlier"])
        #expect(try DeviceKeyFile(path: directory.path("earlier")).load() == made)
    }

    @Test func makesAnotherKeyInAnotherFile() throws {
        let other = DeviceKeyFile(path: directory.path("other.key"))
        #expect(try file.loadOrMake() != other.loadOrMake())
    }

    @Test func givesOneKeyToAllWhoRace() throws {
        for _ in 0..<20 {
            let keys = Keys()
            let path = file.path
            DispatchQueue.concurrentPerform(iterations: 16) { _ in
                keys.append(Result { try DeviceKeyFile(path: path).loadOrMake().rawPrivateKey })
            }
            let seen = try keys.all.map { try $0.get() }
            #expect(seen.count == 16)
            #expect(Set(seen).count == 1)
            #expect(try directory.names == ["device.key"])
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Two processes load the key at once, and each prints the one it got.
    @Test func givesOneKeyToTwoProcesses() async throws {
        let path = file.path
        async let first: Void = Self.expectSameKey(path: path)
        async let second: Void = Self.expectSameKey(path: path)
        _ = await (first, second)
        let ids = try directory.names.filter { $0.hasPrefix("id-") }
        #expect(ids == ["id-\(try file.load().id.shortText)"])
    }

    @Test(arguments: [0o604, 0o640, 0o602, 0o660, 0o700, 0o610, 0o4600] as [UInt32])
    func refusesAModeWiderThan0600(_ mode: UInt32) throws {
        _ = try file.loadOrMake()
        #expect(chmod(file.path, mode) == 0)
        let error = DeviceKeyError.modeTooWide(path: file.path, mode: mode)
        #expect(throws: error) { try file.loadOrMake() }
        #expect(error.hint.contains("chmod 600 '\(file.path)'"))
    }

    @Test func acceptsANarrowerMode() throws {
        let made = try file.loadOrMake()
        #expect(chmod(file.path, 0o400) == 0)
        #expect(try file.loadOrMake() == made)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root to give a file away"))
    func refusesAFileOfSomebodyElse() throws {
        _ = try file.loadOrMake()
        #expect(chown(file.path, 1, 1) == 0)
        let error = DeviceKeyError.foreignOwner(path: file.path, owner: 1, user: 0)
        #expect(throws: error) { try file.loadOrMake() }
        #expect(error.hint.contains("chown 0 '\(file.path)'"))
    }

    @Test func refusesADirectoryAndAPipeInItsPlace() throws {
        #expect(mkdir(file.path, 0o700) == 0)
        #expect(throws: DeviceKeyError.notAFile(path: file.path)) { try file.loadOrMake() }
        #expect(rmdir(file.path) == 0)
        #expect(mkfifo(file.path, 0o600) == 0)
        #expect(throws: DeviceKeyError.notAFile(path: file.path)) { try file.loadOrMake() }
    }

    @Test func saysWhenTheDirectoryIsMissing() throws {
        let lost = DeviceKeyFile(path: directory.path("missing/device.key"))
        #expect(throws: DeviceKeyError.cannotCreate(path: lost.path, code: ENOENT)) {
            try lost.loadOrMake()
        }
        #expect(throws: DeviceKeyError.unreadable(path: lost.path, code: ENOENT)) {
            try lost.load()
        }
    }

    @Test func saysWhenAPartOfThePathIsAFile() throws {
        _ = try file.loadOrMake()
        let inside = DeviceKeyFile(path: file.path + "/device.key")
        #expect(throws: DeviceKeyError.unreadable(path: inside.path, code: ENOTDIR)) {
            try inside.loadOrMake()
        }
    }

    @Test func followsALinkToAKeyAndDoesNotMakeOneBehindIt() throws {
        let made = try DeviceKeyFile(path: directory.path("real.key")).loadOrMake()
        #expect(symlink("real.key", file.path) == 0)
        #expect(try file.loadOrMake() == made)
        #expect(unlink(directory.path("real.key")) == 0)
        #expect(throws: DeviceKeyError.unreadable(path: file.path, code: ENOENT)) {
            try file.loadOrMake()
        }
        #expect(try directory.names == ["device.key"])
    }

    @Test(arguments: [
        BadKey("", .empty),
        BadKey(" \n", .empty),
        BadKey("secret", .notPrivateKeyPEM),
        BadKey("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", .notPrivateKeyPEM),
        BadKey("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", .notPrivateKeyPEM),
        BadKey("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw", .notPrivateKeyPEM),
        BadKey("-----BEGIN PRIVATE KEY-----\nM?4C\n-----END PRIVATE KEY-----", .notBase64),
        BadKey("-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----", .notEd25519),
        BadKey(String(repeating: "A", count: 5_000), .tooLong(4_097)),
    ])
    func refusesWhatIsNotAKey(_ bad: BadKey) throws {
        try Data(bad.text.utf8).write(to: URL(fileURLWithPath: file.path))
        #expect(chmod(file.path, 0o600) == 0)
        #expect(throws: DeviceKeyError.malformed(path: file.path, bad.defect)) {
            try file.loadOrMake()
        }
    }

    @Test func namesTheCureInEveryError() {
        let errors: [DeviceKeyError] = [
            .modeTooWide(path: "/d/k", mode: 0o644),
            .foreignOwner(path: "/d/k", owner: 7, user: 8),
            .notAFile(path: "/d/k"),
            .unreadable(path: "/d/k", code: EACCES),
            .malformed(path: "/d/k", .notBase64),
            .cannotCreate(path: "/d/k", code: ENOSPC),
        ]
        for error in errors {
            #expect(error.message.contains("/d/k"))
            #expect(error.hint.contains("/d/k"))
            #expect(error.message.hasSuffix(".") && error.hint.hasSuffix("."))
        }
        #expect(Set(errors.map(\.name)).count == errors.count)
        #expect(errors[0].message.contains("mode 0644"))
    }

    @Test func neverPrintsThePrivateKey() throws {
        let key = DeviceKey(seed: counting(from: 0x41))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("65, 66"))
            #expect(!text.lowercased().contains("41424344"))
            #expect(text.contains(key.id.text))
        }
    }

    private func mode() throws -> UInt32 {
        var status = stat()
        try #require(lstat(file.path, &status) == 0)
        return status.st_mode & 0o7777
    }

    private static func expectSameKey(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            let key = try DeviceKeyFile(path: path).loadOrMake()
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
            try Data().write(to: directory.appendingPathComponent("id-\(key.id.shortText)"))
        }
    }
}

/// Collects the keys that several threads loaded.
private final class Keys: Sendable {
    private let results = Mutex<[Result<[UInt8], any Error>]>([])

    var all: [Result<[UInt8], any Error>] { results.withLock { $0 } }

    func append(_ result: Result<[UInt8], any Error>) {
        results.withLock { $0.append(result) }
    }
}

/// The content of a file and the defect in it.
struct BadKey: Sendable {
    let text: String
    let defect: DeviceKeyDefect

    init(_ text: String, _ defect: DeviceKeyDefect) {
        self.text = text
        self.defect = defect
    }
}
