package import Foundation

extension SendDocument {
    /// The parsed fields of a `SendDocument`.
    package struct Values: Hashable, Sendable {
        /// The session of the message; nil for a new one.
        package var session: UUID?
        package var next: [UUID]
        /// The number of devices that must have stored the message before the response; nil for
        /// none.
        package var nodes: Int?
        /// Whether linked nodes are counted, relays among them, instead of devices of people.
        package var areLinked = false
        /// The time limit for those.
        package var timeout: Duration
    }

    /// The longest time to wait for other nodes, in seconds.
    package static let timeoutMax = 86_400.0
    /// The time to wait for other nodes unless the document says so, in seconds.
    package static let timeoutUsual = 10.0

    /// The longest time that the node waits for other nodes before it answers, in seconds.
    package var secondsToWait: Double {
        fields.wait.map { $0 != "stored" } == true ? fields.timeout ?? Self.timeoutUsual : 0
    }

    /// Parses the fields whose check needs no node.
    ///
    /// - Throws: `Problem.badInput`, which names the wrong field.
    package func values() throws(Problem) -> Values {
        guard fields.text == nil || isTextAlone else {
            throw .badInput(
                "A text has no URL, picture, captions or app beside it.",
                hint: "Send it alone, with another message before or after it."
            )
        }
        let nodes = try nodesToWaitFor()
        return Values(
            session: try sessionUUID(),
            next: try participants(),
            nodes: nodes,
            areLinked: fields.wait?.hasPrefix("linked") ?? false,
            timeout: nodes == nil ? .zero : try timeToWait()
        )
    }

    /// Whether there is nothing that a text cannot have.
    private var isTextAlone: Bool {
        layout.texts.isEmpty
            && [fields.url, fields.image, fields.imageType, fields.summary, fields.app]
                .allSatisfy { $0 == nil }
            && fields.accessibilityLabel == nil && fields.imageData == nil
    }

    private func sessionUUID() throws(Problem) -> UUID? {
        guard let session = fields.session else { return nil }
        guard let uuid = UUID(uuidString: session) else {
            throw .notASession(session)
        }
        return uuid
    }

    private func participants() throws(Problem) -> [UUID] {
        try (fields.next ?? []).map { text throws(Problem) in
            if let uuid = UUID(uuidString: text) { return uuid }
            throw .badInput(
                "The participant \(text.quoted) is not a UUID.",
                hint: "parley conversation list --json has those of a conversation."
            )
        }
    }

    private func nodesToWaitFor() throws(Problem) -> Int? {
        guard let wait = fields.wait, wait != "stored" else { return nil }
        let parts = wait.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, ["delivered", "linked"].contains(parts[0]),
            let nodes = Int(parts[1]), nodes > 0
        else {
            throw .badInput(
                "\(wait.quoted) is neither stored nor delivered=N or linked=N with N above 0.",
                hint: Self.waitHint
            )
        }
        return nodes
    }

    private static let waitHint =
        "N is 1 or more: so many devices of other people, or with linked=N so many linked nodes, "
        + "have to store the message before the timeout; stored waits for nobody."

    private func timeToWait() throws(Problem) -> Duration {
        let seconds = fields.timeout ?? Self.timeoutUsual
        guard seconds > 0, seconds <= Self.timeoutMax else {
            throw .badInput(
                "The timeout must be above 0 and at most \(Int(Self.timeoutMax)) seconds."
            )
        }
        return .milliseconds(Int(seconds * 1_000))
    }
}
