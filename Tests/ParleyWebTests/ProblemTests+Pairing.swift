import Foundation
import ParleyAPI
import ParleyNode
import TestSupport
import Testing

/// The problems of pairing, each with other devices nearby.
extension ProblemTests {
    static let pairing: [RefusedRequest] = [
        RefusedRequest(.ambiguousDevice, 409, "names one of two namesakes") { bench in
            for _ in 0..<2 { _ = try await bench.startGuest() }
            try await eventually("both namesakes") {
                await bench.node.nearby().count { $0.name == "guest" } == 2
            }
            return .post("pairings", #"{"device":"guest"}"#)
        },
        RefusedRequest(.pairingUnderWay, 409, "pairs with a second device") { bench in
            _ = try await bench.paired(with: try await bench.startGuest().device)
            let other = try await bench.startGuest().device
            try await eventually("the other one") {
                await bench.node.nearby().contains { $0.device == other }
            }
            return .post("pairings", #"{"device":"\#(other)"}"#)
        },
        RefusedRequest(.pairedOtherwise, 409, "answers with an own device") { bench in
            let (guest, _) = try await bench.startGuest()
            _ = try await eventually("the link") { try? await guest.pair(with: "bench") }
            let asked = try await eventually("the request") { await bench.node.pairings().first }
            return .post("pairings", #"{"device":"\#(asked.device)","own":true}"#)
        },
        RefusedRequest(.nothingToCompare, 409, "confirms what nobody has answered") { bench in
            let pairing = try await bench.paired(with: try await bench.startGuest().device)
            return .post("pairings/\(pairing.id)/confirm", "{}")
        },
        RefusedRequest(.tooManyTries, 409, "tries a fourth time") { bench in
            let (guest, device) = try await bench.startGuest()
            for _ in 0..<3 { try await declinedOnce(by: guest, device, bench) }
            return .post("pairings", #"{"device":"\#(device)","conversation":"games"}"#)
        },
    ]

    @Test(arguments: pairing)
    func ofPairing(request: RefusedRequest) async throws { try await request.check() }

    /// Shares the conversation with the guest up to the digits, and cancels that.
    private static func declinedOnce(
        by guest: Node,
        _ device: String,
        _ bench: ControlBench
    ) async throws {
        let pairing = try await bench.paired(with: device, sharing: "games")
        let asked = try await eventually("the request") {
            await guest.pairings().first { $0.stage == .asked(shares: true) }
        }
        _ = try await guest.pair(with: asked.device)
        try await eventually("the digits") {
            await bench.node.pairings().contains {
                if case .comparing = $0.stage { true } else { false }
            }
        }
        try await bench.node.cancelPairing(pairing.id)
        try await eventually("the refusal") {
            await guest.pairings().contains { $0.stage == .ended(.declined) }
        }
    }
}

extension ControlBench {
    /// Pairs with a device as soon as it is known: a link of strangers lasts a few seconds.
    func paired(
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
