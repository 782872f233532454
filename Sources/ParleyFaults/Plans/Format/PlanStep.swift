package import ParleyCore

/// An action of a plan, or a condition to wait for.
package struct PlanStep: Sendable, Equatable {
    /// The line of the step in the file.
    package var line: Int
    /// The earliest time of the step, counted from the first step.
    package var time: Interval?
    package var act: PlanAct
    /// Steps with equal numbers share a row of the result.
    package var group: PlanGroup?
}

/// The steps of one entry of the file.
package struct PlanGroup: Sendable, Equatable {
    package var number: Int
    package var words: String
}

/// The action or condition of a step.
package enum PlanAct: Sendable, Equatable {
    /// Sends messages at the same time, by different hosts if there are several.
    case send([PlanMessage])
    /// Sends many messages, one after the other.
    case batch(PlanBatch)
    /// Waits until all running batches have ended.
    case finish
    case fault(PlanFault)
    /// Runs a command on a host.
    case run(PlanCommand)
    case expect(PlanExpectation)
    /// Lets time pass.
    case pass(Interval)
    /// Starts to count the envelopes that hosts receive, and the links that hosts lose.
    case count
}

/// A message that a host sends.
package struct PlanMessage: Sendable, Equatable {
    /// The message to be replaced.
    package enum Replacing: Sendable, Equatable {
        /// The message that its author shows.
        case heads
        /// The message to which an earlier step gave this name.
        case named(String)
    }

    package var by: HostID
    package var conversation: Int
    /// The name of the session; its first message starts it.
    package var session: String
    package var url: String
    package var caption: String?
    package var summary: String?
    /// The size of the picture in bytes; 0 for none.
    package var pictureBytes = 0
    /// The hosts that may answer; empty for all.
    package var next: [HostID] = []
    package var replacing = Replacing.heads
    /// The name by which later steps refer to the message.
    package var name: String?
    /// The expected refusal; nil if the message must be stored.
    package var refusal: PlanRefusal?
    /// The number of other nodes that must store the message before the step ends.
    package var deliveries = 0
}

/// The reason why a node refuses a message, named as in `parley send`.
package enum PlanRefusal: String, CaseIterable, Sendable {
    case stale, notYourTurn, tooLarge, storeFull, sessionFull, conversationFull, readOnly,
        unknownConversation
    case badDraft
}

/// A batch of messages by one host.
package struct PlanBatch: Sendable, Equatable {
    package var by: HostID
    package var conversation: Int
    /// The name of the session, followed by a number from 1 if there are several.
    package var session: String
    package var sessions: Int
    package var count: Int
    /// Messages per second; 0: as fast as the node accepts them.
    package var rate: Int
    /// The least number of bytes of each URL.
    package var urlBytes: Int
    /// Whether the next step starts while the batch is running.
    package var isMeanwhile: Bool
    /// The number of the batch in the plan; it makes the URLs of different batches differ.
    package var number: Int

    /// The name of the session of the message `index`, from 0.
    package func session(of index: Int) -> String {
        sessions == 1 ? session : "\(session)-\(index % sessions + 1)"
    }

    /// The URL of the message `index`, from 0.
    package func url(of index: Int) -> String {
        PlanURL.filled("?batch=\(number)&message=\(index + 1)", to: urlBytes)
    }
}
