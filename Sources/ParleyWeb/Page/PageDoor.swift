import Foundation
package import ParleyNode
import Synchronization

/// Lets browsers see the page that have the node's cookie, which a one-time link gives them.
///
/// The secret of the cookie is kept in the data directory, so that browsers stay signed in when the
/// node restarts. Links are kept in memory and end with the process.
package final class PageDoor: Sendable {
    /// The name of the cookie.
    ///
    /// Browsers send cookies to every port of a machine, so the name has the device ID in it, and
    /// nodes beside one another do not disturb each other.
    package let cookieName: String

    /// Whether something else than the secret was in its file, so that it is a new one, and every
    /// browser has to sign in again.
    package let wasDamaged: Bool

    private let file: KeptFile?
    private let state: Mutex<State>

    private struct State {
        var key: Secret
        /// Links that nobody has used, oldest first.
        var links: [(secret: Secret, end: ContinuousClock.Instant)] = []
        /// Where the page is served; nil until it is.
        var address: PageAddress?
    }

    /// The most links that wait to be used; a new one takes the place of the oldest.
    package static let linksMax = 16
    /// The time for which a link can be used.
    package static let patience = Duration.seconds(3_600)
    /// The time for which a browser keeps the cookie, in seconds.
    static let cookieSeconds = 30 * 86_400

    /// The door of a node.
    ///
    /// - Parameters:
    ///   - device: The device ID in its text form.
    ///   - file: Where the secret is kept; nil for a node that keeps everything in memory.
    /// - Throws: the failure of reading or writing the file.
    package init(device: String, keepingIn file: KeptFile?) throws(KeptFile.Failure) {
        cookieName = "parley_" + device.filter { $0 != "-" }.prefix(8).lowercased()
        self.file = file
        let content = try Self.content(of: file)
        let kept = content.flatMap { Secret($0.prefix { $0.isHexDigit }) }
        wasDamaged = content != nil && kept == nil
        let key = kept ?? .random()
        if kept == nil { try file?.replace(with: Array(key.text.utf8) + [0x0A]) }
        state = Mutex(State(key: key))
    }

    /// What is kept; nil if there is no file, and nothing if it is longer than a secret.
    ///
    /// A file that was damaged costs a new link, and not the start of the node.
    private static func content(of file: KeptFile?) throws(KeptFile.Failure) -> String? {
        do throws(KeptFile.Failure) {
            return try file?.read(atMost: Secret.length + 2).map {
                String(decoding: $0, as: UTF8.self)
            }
        } catch {
            guard error.code == EFBIG else { throw error }
            return ""
        }
    }

    /// Where the page is served; nil until it is.
    package var address: PageAddress? { state.withLock { $0.address } }

    /// Notes where the page is served from now on.
    package func opened(at address: PageAddress) {
        state.withLock { $0.address = address }
    }

    /// A new one-time link; nil if the page is not served.
    package func link(at now: ContinuousClock.Instant = .now) -> String? {
        state.withLock { state in
            guard let address = state.address else { return nil }
            let secret = Secret.random()
            state.links.append((secret, now + Self.patience))
            if state.links.count > Self.linksMax { state.links.removeFirst() }
            // A wildcard is no address to connect to.
            let host = address.isWildcard ? "127.0.0.1" : address.host
            return "http://\(PageAddress(host: host, port: address.port))/enter/\(secret.text)"
        }
    }

    /// Uses up a link.
    ///
    /// - Returns: whether it was good: made here, not used before and not too old.
    package func spend(_ text: some StringProtocol, at now: ContinuousClock.Instant = .now) -> Bool
    {
        state.withLock { state in
            state.links.removeAll { $0.end <= now }
            // Every link is compared, so that the time does not depend on which one matches.
            let found = state.links.indices.filter { state.links[$0].secret.matches(text) }
            guard let index = found.first else { return false }
            state.links.remove(at: index)
            return true
        }
    }

    /// The value of the `Set-Cookie` field that lets a browser in.
    package var cookie: String {
        let key = state.withLock { $0.key.text }
        return "\(cookieName)=\(key); Path=/; HttpOnly; SameSite=Strict; "
            + "Max-Age=\(Self.cookieSeconds)"
    }

    /// Whether one of the `Cookie` fields of a request has the cookie of this node.
    package func isOpen(to fields: [String]) -> Bool {
        let key = state.withLock { $0.key }
        var isOpen = false
        for pair in fields.flatMap({ $0.split(separator: ";") }) {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == cookieName, key.matches(parts[1]) else { continue }
            isOpen = true
        }
        return isOpen
    }

    /// Makes a new secret: every browser has to use a new link, and links that wait are void.
    package func changeLock() throws(KeptFile.Failure) {
        let key = Secret.random()
        try file?.replace(with: Array(key.text.utf8) + [0x0A])
        state.withLock { state in
            state.key = key
            state.links = []
        }
    }
}
