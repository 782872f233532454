import Foundation
import Hummingbird
import HummingbirdCore
import ParleyAPI
package import ParleyNode
import Synchronization

/// Signs browsers in by one-time links, and admits pages that prove the key of their origin.
///
/// The secrets of cookie and keys are kept in the data directory, so that browsers stay signed in
/// when the node restarts. Links and the name of the run are kept in memory and end with the
/// process.
package final class PageDoor: PageKeeper {
    /// The name of the cookie.
    ///
    /// Browsers send cookies to every port of a machine, so the device ID in the name keeps nodes
    /// of one machine apart.
    package let cookieName: String

    /// Whether the file of the secrets was damaged: they are new, and every browser has to sign in
    /// again.
    package let wasDamaged: Bool

    private let file: KeptFile?
    private let state: Mutex<State>
    /// The name of this run of the node, a part of all proofs of pages.
    package let runName = Secret.random().text

    private struct State {
        var lock: Lock
        /// Links that nobody has used, oldest first.
        var links: [(secret: Secret, end: ContinuousClock.Instant)] = []
        /// Where the page is served; nil until it is.
        var address: PageAddress?
    }

    /// The content of the file.
    private struct Lock {
        /// The value of the cookie.
        var cookie = Secret.random()
        /// The secret from which the keys of pages are derived; browsers never see the secret.
        var seed = Secret.random()

        var bytes: [UInt8] { Array((cookie.text + seed.text).utf8) + [0x0A] }

        init() {}

        /// Reads a lock back; nil for any other text.
        init?(_ text: String) {
            let digits = text.prefix { $0.isHexDigit }
            guard let cookie = Secret(digits.prefix(Secret.length)),
                let seed = Secret(digits.dropFirst(Secret.length))
            else { return nil }
            (self.cookie, self.seed) = (cookie, seed)
        }
    }

    /// The most links that wait to be used; a new link then replaces the oldest.
    package static let linksMax = 16
    /// The time for which a link can be used.
    package static let patience = Duration.seconds(3_600)
    /// The time for which a browser keeps the cookie, in seconds.
    static let cookieSeconds = 30 * 86_400

    /// The door of a node.
    ///
    /// - Parameters:
    ///   - device: The device ID in its text form.
    ///   - file: Where the secrets are kept; nil for a node that keeps everything in memory.
    /// - Throws: the failure of reading or writing the file.
    package init(device: String, keepingIn file: KeptFile?) throws(KeptFile.Failure) {
        cookieName = "parley_" + device.filter { $0 != "-" }.prefix(8).lowercased()
        self.file = file
        let content = try Self.content(of: file)
        let kept = content.flatMap(Lock.init)
        // An earlier version kept one secret only.
        wasDamaged =
            content.map { kept == nil && Secret($0.prefix { $0.isHexDigit }) == nil } ?? false
        let lock = kept ?? Lock()
        if kept == nil { try file?.replace(with: lock.bytes) }
        state = Mutex(State(lock: lock))
    }

    /// The content of the file; nil without a file, and empty if longer than a lock.
    ///
    /// A damaged file costs a new link, and not the start of the node.
    private static func content(of file: KeptFile?) throws(KeptFile.Failure) -> String? {
        do throws(KeptFile.Failure) {
            return try file?.read(atMost: 2 * Secret.length + 2).map {
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
            // Nobody can connect to a wildcard.
            let reachable = address.isWildcard ? PageAddress.reachable(port: address.port) : []
            return "http://\(reachable.first ?? address)/enter/\(secret.text)"
        }
    }

    /// Uses up a link.
    ///
    /// - Returns: whether the link was made here, not used before and not too old.
    package func spend(_ text: some StringProtocol, at now: ContinuousClock.Instant = .now) -> Bool
    {
        state.withLock { state in
            state.links.removeAll { $0.end <= now }
            // Every link is compared, so that the time does not depend on the matching link.
            let found = state.links.indices.filter { state.links[$0].secret.matches(text) }
            guard let index = found.first else { return false }
            state.links.remove(at: index)
            return true
        }
    }

    /// The value of the `Set-Cookie` field of a browser that is signed in.
    package var cookie: String {
        cookie(state.withLock { $0.lock.cookie.text }, seconds: Self.cookieSeconds)
    }

    package func proof(at origin: String) -> PageProof {
        PageProof(seed: state.withLock { $0.lock.seed.text }, origin: origin)
    }

    /// Whether one of the `Cookie` fields of a request has the cookie of this node.
    package func isOpen(to fields: [String]) -> Bool {
        let value = state.withLock { $0.lock.cookie }
        // Every value is compared, so that the time does not depend on the matching one.
        return !cookies(in: fields).filter { value.matches($0) }.isEmpty
    }

    /// Makes new secrets: every browser has to use a new link, and links that wait are void.
    package func changeLock() throws(KeptFile.Failure) {
        let lock = Lock()
        try file?.replace(with: lock.bytes)
        state.withLock { state in
            state.lock = lock
            state.links = []
        }
    }
}
