import Glibc
import Testing
import WebDriver

/// The start of the driver that all tests of the page need.
@Suite(.enabled(if: BrowserDriver.isInstalled || geteuid() == 0), .timeLimit(.minutes(2)))
struct BrowserDriverTests {
    /// A driver whose port is taken exits; that once cost a whole run, as it was waited for.
    @Test func aDriverWhosePortIsTakenIsFollowedByAnother() async throws {
        let first = try await BrowserDriver()
        let second = try await BrowserDriver(port: first.port)
        #expect(second.port != first.port)
    }
}
