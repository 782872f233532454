import Foundation
import NIOCore
import ParleyAPI
import ParleyWeb
import Synchronization

/// A pairing from its request to its end, with a person at the terminal who compares the digits.
struct PairingDialog {
    private let request: PairRequest
    private let json: Bool

    init(_ request: PairRequest, json: Bool) {
        self.request = request
        self.json = json
    }

    func run(_ client: ControlClient) async throws {
        // The signals come first, so that a signal after the request takes the request back.
        let signals = await EndSignals()
        let pairing = Mutex<PairingDocument?>(nil)
        do {
            // A person may be asked something when the pairing ends or a signal comes.
            let (questions, question) = AsyncStream.makeStream(of: PairingDocument.self)
            try await FirstToEnd.of(
                { try await signals.wait() },
                {
                    let started = try await start(client)
                    pairing.withLock { $0 = started }
                    try await follow(started, client, question)
                },
                { for await pairing in questions { try await answer(pairing, client) } }
            )
        } catch let end as EndSignals.End {
            signals.letGo()
            // The pairing ends by itself after a while if the node does not hear of this.
            if let started = pairing.withLock({ $0 }) {
                try? await client.delete(Self.path(started))
            }
            end.raise()
        }
    }

    private func start(_ client: ControlClient) async throws -> PairingDocument {
        do {
            return try await client.post(
                "pairings",
                request,
                as: PairingDocument.self
            )
        } catch var problem as Problem where problem.kind == .unknownDevice {
            let discovery = try await client.get("status", as: NodeStatus.self).discovery
            if let trouble = DiscoveryTrouble(discovery) {
                problem.message += " " + trouble.message
                problem.hint = trouble.hint
            }
            throw problem
        }
    }

    /// Shows the pairing until it has ended; `question` receives it when the person has to answer.
    private func follow(
        _ started: PairingDocument,
        _ client: ControlClient,
        _ question: AsyncStream<PairingDocument>.Continuation
    ) async throws {
        var shown = PairScreen(
            json: json,
            conversation: request.conversation,
            isOwn: request.own ?? false
        )
        try await client.stream("pairings/events") { body in
            var parser = EventParser()
            while let part = try await body.next() {
                for event in parser.add(part.readableBytesView) where event.name == "pairings" {
                    let all = try ControlClient.decode([PairingDocument].self, from: event.data)
                    guard let pairing = all.first(where: { $0.id == started.id }) else {
                        throw Problem(.notPaired, "The pairing was ended elsewhere.")
                    }
                    if try shown.show(pairing) { question.yield(pairing) }
                    if pairing.ended { return }
                }
            }
            throw Problem(
                .noNode,
                "The node has stopped, which ended the pairing.",
                hint: "start it with: parley node"
            )
        }
    }

    private func answer(_ pairing: PairingDocument, _ client: ControlClient) async throws {
        let line = try await LineInput(descriptor: 0).nextText() ?? ""
        let said = line.trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            guard ["y", "yes"].contains(said.lowercased()) else {
                return try await client.delete(Self.path(pairing))
            }
            _ = try await client.post(
                Self.path(pairing) + "/confirm",
                [String: String](),
                as: PairingDocument.self
            )
        } catch let problem as Problem where problem.kind == .unknownPairing {
            // The pairing has ended meanwhile, and its event tells the reason.
        }
    }

    private static func path(_ pairing: PairingDocument) -> String {
        "pairings/\(PathText.encoded(pairing.id))"
    }
}

/// A pairing as a terminal shows it.
struct PairScreen {
    let json: Bool
    /// The conversation that this side shares.
    let conversation: String?
    /// Whether both devices are to be the same person's.
    let isOwn: Bool
    private var last: PairingDocument?

    /// A screen that shows nothing yet.
    init(json: Bool, conversation: String?, isOwn: Bool = false) {
        self.json = json
        self.conversation = conversation
        self.isOwn = isOwn
    }

    /// Shows a pairing if it has changed.
    ///
    /// - Returns: whether the person has to answer now.
    /// - Throws: the problem with which the pairing ended.
    mutating func show(_ pairing: PairingDocument) throws -> Bool {
        guard pairing != last else { return false }
        let isFirstQuestion = pairing.digits != nil && last?.digits == nil
        last = pairing
        if json, !pairing.ended || ["done", "linked"].contains(pairing.stage) {
            try Output.standard.object(pairing)
        }
        switch pairing.stage {
        case "done":
            if !json { Output.standard.line(Self.done(pairing, sharing: conversation)) }
        case "linked":
            if !json { Self.linked(pairing).forEach { Output.standard.line($0) } }
        case "waiting" where !json:
            Output.standard.line(
                "Waiting for \(Self.name(pairing)). Over there: answer on the page,"
            )
            let command = isOwn ? "person link" : "pair"
            Output.standard.line(
                "or run \(ProgramName.text) \(command) with the name of this device."
            )
        case "comparing" where !json && isFirstQuestion:
            let digits = pairing.digits ?? ""
            Output.standard.line("")
            Output.standard.line("    " + Output.standard.style(.bold, Self.spaced(digits)))
            Output.standard.line("")
            if isOwn {
                let name = Self.name(pairing)
                Output.standard.line("\(name) then gets all your conversations, and counts as you.")
            }
            Output.standard.line("Does \(Self.name(pairing)) show the same digits? yes or no:")
        case "comparing" where !json && pairing.confirmed == true:
            let who = isOwn ? "yes on the other device." : "the other person to say yes."
            Output.standard.line("Waiting for \(who)")
        case _ where pairing.ended:
            throw Problem(
                pairing.stage == "timedOut" ? .notYet : .notPaired,
                pairing.message ?? "The pairing has ended.",
                hint: pairing.hint ?? ""
            )
        default:
            break
        }
        return isFirstQuestion
    }

    private static func done(_ pairing: PairingDocument, sharing conversation: String?) -> String {
        if let joined = pairing.joined {
            return "Paired with \(name(pairing)). You are in \(TerminalText.safe(joined)) now."
        }
        let shared = conversation.map { " \(TerminalText.safe($0)) is shared." } ?? ""
        return "Paired with \(name(pairing)).\(shared)"
    }

    private static func linked(_ pairing: PairingDocument) -> [String] {
        let person = TerminalText.safe(pairing.person ?? "")
        return [
            "Linked. Both devices are shown as \(person) now.",
            "Each gets the conversations of the other, now and later.",
        ]
    }

    private static func spaced(_ digits: String) -> String {
        digits.prefix(3) + " " + digits.suffix(3)
    }

    private static func name(_ pairing: PairingDocument) -> String {
        TerminalText.safe(pairing.name ?? DeviceText.short(pairing.device))
    }
}
