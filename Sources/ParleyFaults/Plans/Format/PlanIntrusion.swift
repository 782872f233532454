/// A stranger, or a member with software of its own, talks to a node of a plan.
package struct PlanIntrusion: Sendable, Equatable {
    /// The behaviour of the intruder.
    package enum Manner: String, CaseIterable, Sendable {
        // MARK: Bytes of other protocols

        case plainText = "plain-text"
        case brokenTLS = "broken-tls"
        case randomBytes = "random-bytes"
        case zeros

        // MARK: The protocol, without honesty

        case reflectedProof = "reflected-proof"
        case forgedEnvelope = "forged-envelope"
        case forgedCertificate = "forged-certificate"
        case replayedEnvelope = "replayed-envelope"
    }

    /// The host that the intruder connects from.
    package var by: HostID
    /// The host of the node that the intruder talks to.
    package var at: HostID
    package var manner: Manner

    /// All bytes of an intruder that does not speak the protocol, equal in every run; else nil.
    package var bytes: [UInt8]? {
        switch manner {
        case .plainText: Array("GET / HTTP/1.1\r\nHost: node\r\n\r\n".utf8)
        case .brokenTLS: [0x16, 0x03, 0x01, 0x00, 0x05] + Array("hello".utf8)
        case .randomBytes: Self.randomBytes
        case .zeros: [UInt8](repeating: 0, count: Self.manyBytes)
        case .reflectedProof, .forgedEnvelope, .forgedCertificate, .replayedEnvelope: nil
        }
    }

    /// More than one TLS record.
    private static let manyBytes = 70_000

    private static let randomBytes: [UInt8] = {
        var random = SeededRandom(seed: 0)
        return random.bytes(manyBytes)
    }()

    /// The corresponding intrusion in the simulator.
    var kind: Intrusion.Kind {
        switch manner {
        case .plainText, .brokenTLS, .randomBytes, .zeros: .babbles
        case .reflectedProof: .reflectsTags
        case .forgedEnvelope: .forges
        case .forgedCertificate: .certifiesItself
        case .replayedEnvelope: .replays
        }
    }
}
