import ParleyCore
import ParleyFaults
import Testing

/// A node treats a silent peer by the table of section "Liveness" of the protocol.
struct LivenessTests {
    @Test(arguments: silences)
    func silenceHasAMeaning(_ silence: Silence) {
        var liveness = Liveness(at: .start)
        for (index, step) in silence.steps.enumerated() {
            let now = Moment(milliseconds: step.time)
            var verdict: Liveness.Verdict?
            switch step.input {
            case .heard: liveness.heard(at: now)
            case .expectsAnswer: liveness.expectsAnswer(at: now)
            case .pingSent: liveness.pingSent(at: now)
            case .pongReceived: liveness.pongReceived()
            case .expectsReceipt: liveness.expectsReceipt(at: now)
            case .receiptIsMissing(let pings): #expect(liveness.receiptIsMissing() == pings)
            case .check: verdict = liveness.check(at: now)
            }
            let place = "\(silence.name), step \(index)"
            #expect(verdict == step.verdict, "\(place)")
            #expect(liveness.deadline.milliseconds == step.deadline, "\(place)")
        }
    }

    static let silences: [Silence] = [
        Silence(
            "an idle link is pinged after 5 s, suspect 1 s later, dead after 15 s",
            Step(.check, at: 4_999, .well, deadline: 5_000),
            Step(.check, at: 5_000, .ping, deadline: 5_000),
            Step(.pingSent, at: 5_000, deadline: 6_000),
            Step(.check, at: 5_999, .well, deadline: 6_000),
            Step(.check, at: 6_000, .suspect, deadline: 15_000),
            Step(.check, at: 6_001, .well, deadline: 15_000),
            Step(.check, at: 14_999, .well, deadline: 15_000),
            Step(.check, at: 15_000, .dead, deadline: 15_000)
        ),
        Silence(
            "an answer that is due is made sure of after 0.5 s, the link suspect after 1 s",
            Step(.expectsAnswer, at: 1_000, deadline: 1_500),
            Step(.check, at: 1_499, .well, deadline: 1_500),
            Step(.check, at: 1_500, .ping, deadline: 1_500),
            Step(.pingSent, at: 1_500, deadline: 2_000),
            Step(.check, at: 1_999, .well, deadline: 2_000),
            Step(.check, at: 2_000, .suspect, deadline: 15_000)
        ),
        Silence(
            "the first frame without an answer counts, not the latest",
            Step(.expectsAnswer, at: 1_000, deadline: 1_500),
            Step(.expectsAnswer, at: 1_400, deadline: 1_500),
            Step(.check, at: 1_500, .ping, deadline: 1_500)
        ),
        Silence(
            "an answer that is due late in an idle time does not put the ping off",
            Step(.expectsAnswer, at: 4_800, deadline: 5_000),
            Step(.check, at: 5_000, .ping, deadline: 5_000)
        ),
        Silence(
            "suspicion comes first, then the ping that nobody sent in time",
            Step(.expectsAnswer, at: 0, deadline: 500),
            Step(.check, at: 1_000, .suspect, deadline: 500),
            Step(.check, at: 1_000, .ping, deadline: 500),
            Step(.pingSent, at: 1_000, deadline: 15_000)
        ),
        Silence(
            "any byte is the answer, and starts all times again",
            Step(.expectsAnswer, at: 0, deadline: 500),
            Step(.heard, at: 400, deadline: 5_400),
            Step(.check, at: 5_399, .well, deadline: 5_400),
            Step(.check, at: 5_400, .ping, deadline: 5_400)
        ),
        Silence(
            "what a suspect link says makes it as good as before",
            Step(.expectsAnswer, at: 0, deadline: 500),
            Step(.pingSent, at: 500, deadline: 1_000),
            Step(.check, at: 1_000, .suspect, deadline: 15_000),
            Step(.heard, at: 3_000, deadline: 18_000),
            Step(.pongReceived, at: 3_000, deadline: 8_000),
            Step(.expectsAnswer, at: 4_000, deadline: 4_500),
            Step(.pingSent, at: 4_500, deadline: 5_000),
            Step(.check, at: 5_000, .suspect, deadline: 18_000)
        ),
        Silence(
            "there is one ping at a time, and the next one after its pong",
            Step(.pingSent, at: 0, deadline: 1_000),
            Step(.heard, at: 100, deadline: 15_100),
            Step(.check, at: 5_100, .well, deadline: 15_100),
            Step(.pongReceived, at: 5_200, deadline: 5_100),
            Step(.check, at: 5_200, .ping, deadline: 5_100)
        ),
        Silence(
            "after 0.5 s the kernel is asked once for the receipt of what needs no answer",
            Step(.expectsReceipt, at: 1_000, deadline: 1_500),
            Step(.expectsReceipt, at: 1_400, deadline: 1_500),
            Step(.check, at: 1_499, .well, deadline: 1_500),
            Step(.check, at: 1_500, .askForReceipt, deadline: 5_000),
            Step(.check, at: 1_500, .well, deadline: 5_000),
            Step(.expectsReceipt, at: 2_000, deadline: 2_500)
        ),
        Silence(
            "without the receipt, an answer is due since that was sent",
            Step(.expectsReceipt, at: 1_000, deadline: 1_500),
            Step(.check, at: 1_520, .askForReceipt, deadline: 5_000),
            Step(.receiptIsMissing(pings: true), at: 1_520, deadline: 1_500),
            Step(.receiptIsMissing(pings: false), at: 1_520, deadline: 1_500),
            Step(.pingSent, at: 1_520, deadline: 2_000),
            Step(.check, at: 2_000, .suspect, deadline: 15_000)
        ),
        Silence(
            "whatever was heard makes the receipt unnecessary, asked for or not",
            Step(.expectsReceipt, at: 1_000, deadline: 1_500),
            Step(.heard, at: 1_200, deadline: 6_200),
            Step(.expectsReceipt, at: 2_000, deadline: 2_500),
            Step(.check, at: 2_500, .askForReceipt, deadline: 6_200),
            Step(.heard, at: 2_500, deadline: 7_500),
            Step(.receiptIsMissing(pings: false), at: 2_500, deadline: 7_500)
        ),
        Silence(
            "a ping makes the receipt unnecessary, but a missing one makes its answer due earlier",
            Step(.expectsReceipt, at: 0, deadline: 500),
            Step(.check, at: 500, .askForReceipt, deadline: 5_000),
            Step(.pingSent, at: 600, deadline: 1_600),
            Step(.receiptIsMissing(pings: false), at: 600, deadline: 1_000),
            Step(.expectsReceipt, at: 700, deadline: 1_000),
            Step(.check, at: 1_000, .suspect, deadline: 15_000)
        ),
        Silence(
            "dead comes before everything else",
            Step(.expectsAnswer, at: 0, deadline: 500),
            Step(.check, at: 15_000, .dead, deadline: 500)
        ),
    ]

    @Test func suspicionLastsUntilSomethingIsHeard() {
        var liveness = Liveness(at: .start)
        liveness.expectsAnswer(at: .start)
        #expect(!liveness.isSuspect)
        _ = liveness.check(at: .start + Liveness.suspicion)
        #expect(liveness.isSuspect)
        liveness.expectsAnswer(at: Moment(milliseconds: 2_000))
        #expect(liveness.isSuspect)
        liveness.heard(at: Moment(milliseconds: 3_000))
        #expect(!liveness.isSuspect)
    }
}

extension LivenessTests {
    /// The events of a link, each with the meaning of its silence and the time to look again.
    struct Silence: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]

        init(_ name: String, _ steps: Step...) {
            self.name = name
            self.steps = steps
        }

        var testDescription: String { name }
    }

    struct Step: Sendable {
        enum Input: Sendable {
            case heard, expectsAnswer, expectsReceipt, pingSent, pongReceived, check
            /// Whether a ping follows.
            case receiptIsMissing(pings: Bool)
        }

        let input: Input
        let time: Int64
        /// Nil for all inputs but `check`.
        let verdict: Liveness.Verdict?
        let deadline: Int64

        init(_ input: Input, at time: Int64, _ verdict: Liveness.Verdict? = nil, deadline: Int64) {
            self.input = input
            self.time = time
            self.verdict = verdict
            self.deadline = deadline
        }
    }
}
