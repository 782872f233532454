import Foundation
import Synchronization

/// The guests of this node whose pages are open now.
package final class GuestPresence: Sendable {
    private let times = Mutex<[UUID: (open: Int, seen: Date)]>([:])

    /// How long a guest stays present without a page: reloading takes less.
    static let patience: TimeInterval = 10

    /// A page of the guest begins to follow.
    func came(_ guest: UUID) {
        times.withLock { $0[guest] = (($0[guest]?.open ?? 0) + 1, Date()) }
    }

    /// The page has ended.
    func went(_ guest: UUID) {
        times.withLock { $0[guest] = (max(0, ($0[guest]?.open ?? 0) - 1), Date()) }
    }

    func forget(_ guest: UUID) { times.withLock { $0[guest] = nil } }

    func presence(of guest: UUID, at now: Date) -> Presence {
        guard let known = times.withLock({ $0[guest] }) else { return .away(nil) }
        let isHere = known.open > 0 || now.timeIntervalSince(known.seen) < Self.patience
        return isHere ? .connected : .away(known.seen)
    }
}
