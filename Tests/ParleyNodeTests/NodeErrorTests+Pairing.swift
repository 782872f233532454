import ParleyNode
import TestSupport
import Testing

/// The errors of pairing, each with other devices nearby.
extension NodeErrorTests {
    static let pairing: [NodeErrorKind: Provocation] = [
        .unknownDevice: { nodes in
            let (node, _) = try await nodes.start("one")
            return await Provoked(.unknownDevice("nobody")) {
                _ = try await node.pair(with: "nobody")
            }
        },
        .keys: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            return await Provoked(.keys(conversation: "games", .unknownMember("yan"))) {
                _ = try await NodeKeys(of: node).change(of: "games", without: ["yan"])
            }
        },
        .unknownInvite: { nodes in
            let (node, _) = try await nodes.start("one")
            return await Provoked(.unknownInvite(7)) { try await node.revokeInvite(7) }
        },
        .tooManyInvites: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            return await Provoked(.tooManyInvites(limit: 64)) {
                for _ in 0...64 {
                    _ = try await node.invite(to: "games", role: .reader, lasting: 60, uses: 1)
                }
            }
        },
        .notLetIn: { nodes in
            let (node, _) = try await nodes.startWithMessage()
            let (other, _) = try await nodes.start("two")
            let invite = try await node.invite(to: "games", role: .writer, lasting: 60, uses: 1)
            try await node.revokeInvite(try #require(invite.ending?.number))
            return await Provoked(.notLetIn(by: "one", .revoked)) {
                _ = try await other.join(invite.link)
            }
        },
        .unknownPairing: { nodes in
            let (node, _) = try await nodes.start("one")
            return await Provoked(.unknownPairing) { _ = try await node.confirmPairing("7") }
        },
        .ambiguousDevice: { nodes in
            let (node, address) = try await nodes.start("one")
            for directory in ["two", "three"] {
                var settings = nodes.settings(directory, peers: [address])
                settings.name = "namesake"
                _ = try await nodes.start(settings)
            }
            return await Provoked {
                try await eventually("both namesakes nearby") {
                    let pairing = try await pair(node, with: "namesake")
                    try await node.cancelPairing(pairing.id)
                    return false
                }
            }
        },
        .pairingUnderWay: { nodes in
            let (node, address) = try await nodes.start("one")
            _ = try await nodes.start("two", peers: [address])
            _ = try await nodes.start("three", peers: [address])
            _ = try await pair(node, with: "two")
            return await Provoked {
                _ = try await pair(node, with: "three")
            }
        },
        .pairedOtherwise: { nodes in
            let (node, address) = try await nodes.start("one")
            let (other, _) = try await nodes.start("two", peers: [address])
            _ = try await pair(node, with: "two")
            try await eventually("the request") { await !other.pairings().isEmpty }
            return await Provoked(.pairedOtherwise(with: "one", isOwn: false)) {
                _ = try await NodeKeys(of: other).link(ownDevice: "one")
            }
        },
        .nothingToCompare: { nodes in
            let (node, address) = try await nodes.start("one")
            _ = try await nodes.start("two", peers: [address])
            let pairing = try await pair(node, with: "two")
            return await Provoked(.nothingToCompare) {
                _ = try await node.confirmPairing(pairing.id)
            }
        },
        .tooManyTries: { nodes in
            let (node, address) = try await nodes.start("one")
            let (other, _) = try await nodes.start("two", peers: [address])
            _ = try await node.createConversation(named: "games")
            for _ in 0..<3 {
                let pairing = try await pair(node, with: "two", sharing: "games")
                let asked = try await eventually("the request") {
                    await other.pairings().first { $0.stage == .asked(shares: true) }
                }
                _ = try await other.pair(with: asked.device)
                try await eventually("the digits") {
                    await node.pairings().contains {
                        if case .comparing = $0.stage { true } else { false }
                    }
                }
                try await node.cancelPairing(pairing.id)
                try await eventually("the refusal") {
                    await other.pairings().contains { $0.stage == .ended(.declined) }
                }
            }
            return await Provoked {
                _ = try await pair(node, with: "two", sharing: "games")
            }
        },
    ]

    /// Pairs with a device as soon as it is known: a link of strangers lasts a few seconds.
    private static func pair(
        _ node: Node,
        with device: String,
        sharing conversation: String? = nil
    ) async throws -> PairingState {
        try await eventually("\(device) nearby") {
            do {
                return try await node.pair(with: device, sharing: conversation)
            } catch NodeError.unknownDevice {
                return nil
            }
        }
    }
}
