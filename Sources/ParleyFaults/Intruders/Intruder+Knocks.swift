import ParleyCore

/// A stranger at the door of a node.
extension Intruder {
    /// Knocks with guessed tokens, and with the proof of another device on another link, as if the
    /// memory of that device had been read.
    ///
    /// - Returns: whether it was possible.
    func knock(in world: World) -> Bool {
        let own = world.doors.filter { $0.device == world.nodes[intrusion.node].device }
        guard let door = own.last else { return false }
        var random = SeededRandom(seed: intrusion.pick)
        let other = world.nodes[intrusion.other].device
        let replayed = KnockFrame.proof(
            of: door.token,
            on: Bytes32(random.next(), 1, 2, 3),
            by: other,
            using: crypto
        )
        let end = open(to: intrusion.node, in: world)
        say([.knock(.knock(invite: door.invite, proof: replayed))], on: end, after: 2, in: world)
        for number in 0..<8 {
            let proof = Bytes32(random.next(), random.next(), random.next(), random.next())
            let invite = door.invite &+ UInt32(random.next() % 2)
            let guess = Frame.knock(.knock(invite: invite, proof: proof))
            say([guess], on: end, after: 3 + Int64(number), in: world)
        }
        return true
    }
}
