import ParleyCore

/// A message of a guest is signed by that guest, who had a seat at the request, and a message of
/// nobody else by the device.
package struct SeatChecker: Checker {
    package static let promise = Promise("nobody writes for somebody else")
    package static let watches: WorldEvent.Kinds = [.authored, .delivered]

    private let ledger: Ledger
    /// The device or guest that asked for a message; nil for a guest without a seat.
    private var asked: [RequestID: DeviceID?] = [:]

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .authored(let requests)):
            for request in requests {
                asked.updateValue(author(of: request, at: node, world), forKey: request.request)
            }
        case .delivered(let node, .answer(let request, .stored(let message))):
            guard let author = asked[request] else { return }
            let isSame = author != nil && ledger.author(of: message.dot)?.device == author
            guard !isSame else { return }
            let what =
                "\(world.nodes[node].name) writes \(world.word(message.dot)) for somebody else"
            world.fail(Self.promise, by: [node], what)
        default: break
        }
    }

    private func author(
        of request: AuthorRequest,
        at node: Int,
        _ world: World
    ) -> DeviceID? {
        let (host, crypto) = (world.nodes[node].device, world.nodes[node].crypto)
        guard let guest = request.guest else { return host }
        guard let id = ledger.copies[node].numbers[request.conversation] else { return nil }
        let seats = ledger.copies[node].seats[request.conversation] ?? [:]
        return seats.values
            .first { $0.participant(of: host, in: id, using: crypto) == guest }?
            .device(of: host, using: crypto)
    }
}
