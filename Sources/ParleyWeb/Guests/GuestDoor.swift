import CSodium
import Foundation
package import ParleyNode
import Synchronization

/// Lets guests in by the codes of conversations, and knows their browsers again by cookies.
///
/// A cookie has a secret of the seat, of which the node keeps only the hash.
package final class GuestDoor: Sendable {
    package let cookieName: String
    package let runName = Secret.random().text
    /// Whether the file was damaged: every conversation is closed, and guests open their pages
    /// anew.
    package let wasDamaged: Bool

    private let file: KeptFile?
    private let state: Mutex<State>

    private struct State {
        var book: GuestBook
        var tries = TryLimit()
        /// The wrong digits that were tried, by participant.
        var guesses: [UUID: Guesses] = [:]
        var address: PageAddress?
        /// The hashes of cookies that have opened a seat since the start.
        var known: Set<[UInt8]> = []
    }

    private struct Guesses {
        var wrong = 0
        /// How often wrong tries have changed the digits, and the end of the pause after that.
        var changes = 0
        var pauseEnd: ContinuousClock.Instant?
    }

    /// The meaning of a code in a link.
    package enum CodeAnswer: Hashable, Sendable {
        /// The conversation with the ID is open.
        case open(conversation: String, seats: Int, isLocked: Bool)
        case unknown
        /// Too many wrong codes were tried.
        case wait(seconds: Int)
    }

    /// The wrong digits after which a seat has others.
    package static let wrongDigitsMax = 5
    private static let longestDigitsPause = Duration.seconds(3_600)
    /// The time for which a browser keeps the cookie, in seconds: as long as browsers allow.
    private static let cookieSeconds = 400 * 86_400
    private static let knownMax = 256

    /// The door of the node with a device ID; `file` keeps which conversations are open.
    package init(device: String, keepingIn file: KeptFile?) {
        cookieName = "parley_guest_" + device.filter { $0 != "-" }.prefix(8).lowercased()
        self.file = file
        let read = Result { try file.flatMap(GuestBook.init) }
        wasDamaged = if case .failure = read { true } else { false }
        state = Mutex(State(book: ((try? read.get()) ?? nil) ?? GuestBook()))
    }

    // MARK: Conversations

    /// Opens a conversation to guests, or changes how it is open.
    func open(
        _ conversation: String,
        seats: Int?,
        isLocked: Bool?
    ) throws(KeptFile.Failure) -> GuestBook.Opening {
        try change { book in
            var opening = book.openings[conversation] ?? .init()
            if let seats { opening.seats = seats }
            if let isLocked { opening.isLocked = isLocked }
            book.openings[conversation] = opening
            return opening
        }
    }

    /// Makes the code of a conversation void; those inside stay.
    func close(_ conversation: String) throws(KeptFile.Failure) {
        try change { $0.openings[conversation] = nil }
    }

    /// Gives an open conversation another code; those inside stay.
    func renewCode(of conversation: String) throws(KeptFile.Failure) {
        guard opening(of: conversation) != nil else { return }
        try change { $0.openings[conversation]?.code = .random() }
    }

    /// Changes the book once the file has the change.
    private func change<Value>(
        _ body: (inout GuestBook) -> Value
    ) throws(KeptFile.Failure) -> Value {
        try state.withLock { (state) throws(KeptFile.Failure) in
            var book = state.book
            let value = body(&book)
            try book.keep(in: file)
            state.book = book
            return value
        }
    }

    /// Whether a conversation is open by that code.
    func opening(of conversation: String, has text: String) -> Bool {
        guard let code = GuestCode(text) else { return false }
        return opening(of: conversation)?.code.matches(code) ?? false
    }

    func opening(of conversation: String) -> GuestBook.Opening? {
        state.withLock { $0.book.openings[conversation] }
    }

    /// Whether any conversation is open.
    var isOpen: Bool { state.withLock { !$0.book.openings.isEmpty } }

    /// The meaning of a code; wrong codes from all addresses count together.
    package func answer(
        to text: String,
        at now: ContinuousClock.Instant = .now
    ) -> CodeAnswer {
        state.withLock { state in
            if let wait = state.tries.wait(at: now) {
                return .wait(seconds: Int(wait.components.seconds) + 1)
            }
            guard let code = GuestCode(text),
                let found = state.book.openings.first(where: { $0.value.code.matches(code) })
            else {
                state.tries.failed(at: now)
                return .unknown
            }
            return .open(
                conversation: found.key,
                seats: found.value.seats,
                isLocked: found.value.isLocked
            )
        }
    }

    // MARK: Guests

    /// A new secret for the cookie of a seat, and the hash to keep.
    static func newSecret() -> (text: String, hash: [UInt8]) {
        let text = Secret.random().text
        return (text, hash(of: text))
    }

    static func hash(of secret: some StringProtocol) -> [UInt8] {
        let bytes = Array(secret.utf8)
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return digest
    }

    /// The guest of `guests` to whom the cookie of a request belongs.
    func guest(withCookiesIn fields: [String], among guests: [Guest]) -> Guest? {
        let hashes = keeper(of: nil).cookies(in: fields).map(Self.hash)
        guard let guest = guests.first(where: { hashes.contains($0.secretHash) }) else {
            return nil
        }
        state.withLock { state in
            if state.known.count >= Self.knownMax { state.known = [] }
            state.known.insert(guest.secretHash)
        }
        return guest
    }

    /// Whether a request has a cookie that has opened a seat since the start.
    func knows(cookiesIn fields: [String]) -> Bool {
        let hashes = keeper(of: nil).cookies(in: fields).map(Self.hash)
        return state.withLock { state in hashes.contains { state.known.contains($0) } }
    }

    /// Forgets the cookie of a guest who has lost the seat.
    func forget(_ guest: Guest) {
        state.withLock { state in
            state.known.remove(guest.secretHash)
            state.guesses[guest.participant.id] = nil
        }
        // Digits that stay in the file open nothing, as the seat is gone.
        try? change { $0.digits?[guest.participant.id.uuidString] = nil }
    }

    /// The digits by which the guest gets the seat back in another browser.
    func digits(of guest: Guest) -> String {
        state.withLock { state in
            state.book.digits?[guest.participant.id.uuidString] ?? newDigits(of: guest, &state)
        }
    }

    /// Gives a guest other digits; if the file cannot keep them, they are so until the node stops.
    @discardableResult
    private func newDigits(of guest: Guest, _ state: inout State) -> String {
        let digits = String((0..<4).map { _ in "0123456789".randomElement() ?? "0" })
        state.book.digits = state.book.digits ?? [:]
        state.book.digits?[guest.participant.id.uuidString] = digits
        try? state.book.keep(in: file)
        return digits
    }

    /// Whether these are the digits of the guest.
    ///
    /// After too many wrong ones there are others, and a pause that doubles each time.
    package func areDigits(
        _ text: String,
        of guest: Guest,
        at now: ContinuousClock.Instant = .now
    ) -> Bool {
        state.withLock { state in
            let id = guest.participant.id
            let digits = state.book.digits?[id.uuidString] ?? newDigits(of: guest, &state)
            var guesses = state.guesses[id] ?? Guesses()
            defer { state.guesses[id] = guesses }
            if let end = guesses.pauseEnd, now < end { return false }
            if Secret.areEqual(digits, text) {
                guesses = Guesses()
                newDigits(of: guest, &state)
                return true
            }
            state.tries.failed(at: now)
            guesses.wrong += 1
            guard guesses.wrong >= Self.wrongDigitsMax else { return false }
            newDigits(of: guest, &state)
            guesses.wrong = 0
            guesses.pauseEnd =
                now + min(TryLimit.pause * (1 << min(guesses.changes, 10)), Self.longestDigitsPause)
            guesses.changes += 1
            return false
        }
    }

    // MARK: Pages

    /// The keeper of the page of a guest; without a guest, of no page.
    func keeper(of guest: Guest?) -> GuestKeeper { GuestKeeper(door: self, guest: guest) }

    /// The `Set-Cookie` field for the browser of a guest.
    func cookie(_ secret: String) -> String {
        keeper(of: nil).cookie(secret, seconds: Self.cookieSeconds)
    }

    fileprivate func seed(of guest: Guest) -> String {
        state.withLock { $0.book.seed } + "\n" + guest.participant.id.uuidString
    }

    package var address: PageAddress? { state.withLock { $0.address } }

    /// The port that earlier links have named.
    var port: Int? { state.withLock { $0.book.port } }

    /// Notes where guests are served from now on.
    func opened(at address: PageAddress) throws(KeptFile.Failure) {
        state.withLock { $0.address = address }
        guard port != address.port else { return }
        try change { $0.port = address.port }
    }
}

/// Admits the browser of one guest to the guest's page.
struct GuestKeeper: PageKeeper {
    let door: GuestDoor
    let guest: Guest?

    var cookieName: String { door.cookieName }
    var address: PageAddress? { door.address }
    var runName: String { door.runName }

    func isOpen(to fields: [String]) -> Bool {
        guard let guest else { return false }
        return cookies(in: fields).contains { GuestDoor.hash(of: $0) == guest.secretHash }
    }

    func proof(at origin: String) -> PageProof {
        let seed = guest.map(door.seed) ?? ""
        return PageProof(seed: seed, origin: origin)
    }
}
