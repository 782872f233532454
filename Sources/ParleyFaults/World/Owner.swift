import ParleyCore

/// The person to whom the first nodes of a world belong.
enum Owner {
    private static let seed = Bytes32(7, 7, 7, 7)

    /// A node that was never started, by its number.
    static func node(_ number: Int, named name: String, _ settings: WorldSettings)
        -> SimulatedNode
    {
        let node = SimulatedNode(name: name, key: UInt64(number) + 1)
        if number < settings.ownedNodes { node.owner = person(of: node) }
        return node
    }

    /// The person as the device of a node shows it.
    private static func person(of node: SimulatedNode) -> Person {
        let signed = Person.signedBytes(of: node.device, name: "owner")
        return Person(
            key: node.crypto.publicKey(ofSeed: seed),
            name: "owner",
            signature: node.crypto.sign(signed.span.bytes, bySeed: seed)
        )
    }
}
