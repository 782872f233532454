package import ParleyCore

/// The person to whom the first nodes of a world belong.
package enum Owner {
    private static let seed = Bytes32(7, 7, 7, 7)

    /// The person as the device of a node shows it.
    package static func person(of node: SimulatedNode) -> Person {
        let signed = Person.signedBytes(of: node.device, name: "owner")
        return Person(
            key: node.crypto.publicKey(ofSeed: seed),
            name: "owner",
            signature: node.crypto.sign(signed.span.bytes, bySeed: seed)
        )
    }
}
