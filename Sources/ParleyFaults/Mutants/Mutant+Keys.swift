import ParleyCore

extension Mutant {
    /// Nodes with faulty cryptography or random numbers.
    static let ofKeys = [
        Mutant(
            "skipsProof",
            seed: 12,
            "Takes envelopes without checking their proofs: forged ones are not stored or shown."
        ) { node in
            node.crypto = { $0.accepting(.proof) }
        },
        Mutant(
            "believesCertificates",
            seed: 62,
            "Believes any certificate: only a writer can let a device write."
        ) { node in
            node.crypto = { $0.accepting(.certificate) }
        },
        Mutant(
            "reusesIncarnation",
            seed: 30,
            "Draws the same random numbers in each process: each start is a new incarnation."
        ) { node in
            node.random = { _, device in SeededRandom(seed: device.hint) }
        },
    ]
}
