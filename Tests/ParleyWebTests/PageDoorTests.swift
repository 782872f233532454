import Foundation
import ParleyNode
import ParleyWeb
import Testing

/// One-time links and the cookie.
@Suite struct PageDoorTests {
    private func door(_ device: String = "ABCDEFGHIJ", _ file: KeptFile? = nil) throws -> PageDoor {
        let door = try PageDoor(device: device, keepingIn: file)
        door.opened(at: .usual)
        return door
    }

    private func secret(_ door: PageDoor, at now: ContinuousClock.Instant = .now) throws -> String {
        String(try #require(door.link(at: now)).split(separator: "/").last ?? "")
    }

    private func cookie(_ door: PageDoor) -> String { String(door.cookie.prefix { $0 != ";" }) }

    @Test func linksAreGoodOnce() throws {
        let door = try door()
        let (first, second) = (try secret(door), try secret(door))
        #expect(first != second)
        #expect(door.spend(first))
        #expect(!door.spend(first))
        #expect(door.spend(second))
        #expect(!door.spend(""))
        #expect(!door.spend(String(repeating: "0", count: 32)))
    }

    @Test func linksExpire() throws {
        let door = try door()
        let now = ContinuousClock.now
        let early = try secret(door, at: now)
        let late = try secret(door, at: now + .seconds(1))
        let end = now + PageDoor.patience
        #expect(!door.spend(early, at: end))
        #expect(door.spend(late, at: end))
    }

    @Test func theOldestLinkMakesRoom() throws {
        let door = try door()
        let links = try (0...PageDoor.linksMax).map { _ in try secret(door) }
        #expect(!door.spend(links[0]))
        #expect(links.dropFirst().allSatisfy { door.spend($0) })
    }

    @Test func noLinkBeforeThePageIsServed() throws {
        #expect(try PageDoor(device: "ABCDEFGH", keepingIn: nil).link() == nil)
    }

    @Test func knowsItsCookieAmongOthers() throws {
        let (alice, bob) = (try door("AAAAAAAAAA"), try door("BBBBBBBBBB"))
        let (first, second) = (cookie(alice), cookie(bob))
        #expect(alice.isOpen(to: [first]))
        #expect(alice.isOpen(to: ["theme=dark; \(second); \(first)"]))
        #expect(alice.isOpen(to: [second, first]))
        #expect(!alice.isOpen(to: [second]))
        #expect(!alice.isOpen(to: []))
        #expect(!alice.isOpen(to: [String(first.dropLast())]))
        #expect(!alice.isOpen(to: [first + "0"]))
        #expect(!alice.isOpen(to: [alice.cookieName + "="]))
        #expect(!alice.isOpen(to: [alice.cookieName + "=" + second.suffix(32)]))
        #expect(first != second)
        #expect(alice.cookie.contains("HttpOnly; SameSite=Strict"))
    }

    /// Browsers stay signed in over a restart, and not after somebody signed them out.
    @Test func theCookieOutlivesTheProcess() throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "parley-door-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let before = try door("ABCDEFGHIJ", KeptFile(path: path))
        let link = try secret(before)
        let after = try door("ABCDEFGHIJ", KeptFile(path: path))
        #expect(after.isOpen(to: [cookie(before)]))
        #expect(!after.spend(link))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)

        let waiting = try secret(after)
        try after.changeLock()
        #expect(!after.isOpen(to: [cookie(before)]))
        #expect(!after.spend(waiting))
        let last = try door("ABCDEFGHIJ", KeptFile(path: path))
        #expect(last.isOpen(to: [cookie(after)]))
        let origin = PageClient.origin
        #expect(last.key(at: origin) == after.key(at: origin))
        #expect(last.key(at: origin) != before.key(at: origin), "keys end with the cookie")
        #expect(!cookie(last).contains(last.key(at: origin).prefix(32)))
    }

    /// A damaged file is replaced: browsers have to sign in again.
    ///
    /// Regression: a file of too many bytes kept the node from starting.
    @Test(arguments: [
        "", "short\n", String(repeating: "a", count: 66), String(repeating: "b", count: 9_000),
        // The one secret of an earlier version, which browsers have sent to other ports.
        String(repeating: "a", count: 32) + "\n",
    ])
    func aDamagedKeyIsReplaced(content: String) throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "parley-door-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(content.utf8).write(to: URL(filePath: path))
        let first = try door("ABCDEFGHIJ", KeptFile(path: path))
        #expect(
            first.wasDamaged == (content.utf8.count != 33),
            "an earlier version damaged nothing"
        )
        let second = try door("ABCDEFGHIJ", KeptFile(path: path))
        #expect(!second.wasDamaged)
        #expect(second.isOpen(to: [cookie(first)]))
    }
}
