package import ParleyCore

/// One thing that is done or waited for.
package struct PlanStep: Sendable, Equatable {
    /// Where it stands in the file.
    package var line: Int
    /// The earliest time at which it is done, since the first step.
    package var time: Interval?
    package var act: PlanAct
    /// Steps of one number are one row of the result.
    package var group: PlanGroup?
}

/// Steps that were written as one.
package struct PlanGroup: Sendable, Equatable {
    package var number: Int
    package var words: String
}

/// What a step does.
package enum PlanAct: Sendable, Equatable {
    /// Messages that are sent at the same time, by different hosts if there are several.
    case send([PlanMessage])
    /// Many messages, one after the other.
    case batch(PlanBatch)
    /// Waits until the batches that are under way have ended.
    case finish
    case fault(PlanFault)
    case expect(PlanExpectation)
    /// Time passes.
    case pass(Interval)
    /// What hosts receive and which links they lose is counted from here.
    case count
}

/// A message that somebody sends.
package struct PlanMessage: Sendable, Equatable {
    /// What it says it replaces.
    package enum Replacing: Sendable, Equatable {
        /// Whatever its author shows.
        case heads
        /// The message that an earlier step calls so.
        case named(String)
    }

    package var by: HostID
    package var conversation: Int
    /// The name of its session, which is made with its first message.
    package var session: String
    package var url: String
    package var caption: String?
    package var summary: String?
    /// 0 for none.
    package var pictureBytes = 0
    /// Who may answer; empty for all.
    package var next: [HostID] = []
    package var replacing = Replacing.heads
    /// What later steps call it.
    package var name: String?
    /// With what it must be refused, nil if it must be stored.
    package var refusal: PlanRefusal?
    /// On how many other nodes it must be stored before the step is done.
    package var deliveries = 0
}

/// Why a node does not take a message; the names are those of `parley send`.
package enum PlanRefusal: String, CaseIterable, Sendable {
    case stale, notYourTurn, tooLarge, storeFull, sessionFull, readOnly, unknownConversation
    case badDraft
}

/// Many messages of one host.
package struct PlanBatch: Sendable, Equatable {
    package var by: HostID
    package var conversation: Int
    /// Sessions are called so, with a number from 1 if there are several.
    package var session: String
    package var sessions: Int
    package var count: Int
    /// Messages per second; 0: as fast as they are taken.
    package var rate: Int
    /// Bytes of each URL, at least.
    package var urlBytes: Int
    /// Whether the next step is done while it is under way.
    package var isMeanwhile: Bool
    /// The number of this batch in the plan, which keeps its URLs apart from others'.
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
