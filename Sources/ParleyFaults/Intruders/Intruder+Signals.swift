import ParleyCore

/// A writer that sends more signals than anybody may.
extension Intruder {
    /// Sends both nodes signals, each several times and in any order, some of them with hops that
    /// no signal can have made.
    ///
    /// - Returns: whether it was possible.
    func signal(in world: World) -> Bool {
        let table = SimulatedConversation(1)
        guard
            [intrusion.node, intrusion.other].allSatisfy({
                world.number(of: table, at: $0) != nil
            })
        else { return false }
        world.emit(.intruded(device, [table.id]))
        var random = SeededRandom(seed: intrusion.pick)
        let author = SimulatedAuthor(crypto: crypto, table: table)
        let hops: [UInt8] = [0, 7, 8, 255]
        let signals = (1...60).map { _ in
            author.signal(
                Signal(.nudge, in: SessionUUID(session: "game 0")),
                1 + random.next() % 40,
                hops: hops[Int(random.next() % 4)]
            )
        }
        for node in [intrusion.node, intrusion.other] {
            let end = visit(node, table, saying: [author.originFrame], in: world)
            for (number, signal) in signals.enumerated() {
                let delay = 4 + Int64(number / 10) * 100
                say([.signal(signal), .signal(signal)], on: end, after: delay, in: world)
            }
        }
        return true
    }
}
