package import ParleyCore

/// The execution of a plan as a state machine without I/O.
///
/// The caller asks `next` for a task, performs it, reports the outcome, and asks again. Times count
/// from the first step.
package struct PlanRun: Sendable {
    /// A task for the caller.
    package enum Demand: Sendable, Equatable {
        /// Perform this action; report `done` or `failed`.
        case act(PlanAct, words: String)
        /// Wait until this time; report nothing.
        case pass(until: Interval)
        /// Observe these hosts for an expectation, nil to start counting; report `seen`.
        case look(PlanQuestion, words: String?)
        case finished
    }

    package let plan: Plan
    package private(set) var book: PlanBook
    package private(set) var report: PlanReport
    private var index = 0
    /// The end of the step before.
    private var last = Interval(nanoseconds: 0)
    /// The end of the current wait, if one has begun.
    private var passEnd: Interval?

    /// A run of a plan whose initial nodes have been started.
    package init(_ plan: Plan) {
        self.plan = plan
        book = PlanBook()
        book.running = Set(plan.hostIDs.filter { plan.host($0).startsAtOnce })
        book.closed = plan.apart
        report = PlanReport(title: plan.title)
    }

    private var step: PlanStep? { index < plan.steps.count ? plan.steps[index] : nil }
    private var judge: PlanJudge { PlanJudge(plan: plan, book: book) }

    /// The next task.
    package mutating func next(at now: Interval) -> Demand {
        guard let step else { return .finished }
        if let time = step.time, time > now { return .pass(until: time) }
        switch step.act {
        case .expect(let expectation):
            return .look(judge.question(expectation), words: plan.words(expectation))
        case .count:
            let hosts = plan.hostIDs.filter(book.running.contains)
            let parts: PlanQuestion.Parts = [.received, .closures]
            let question = PlanQuestion(parts: parts, conversation: 0, hosts: hosts)
            return .look(question, words: nil)
        case .pass(let length):
            let end = passEnd ?? now + length
            passEnd = end
            guard end <= now else { return .pass(until: end) }
            passEnd = nil
            advance(now)
            return next(at: now)
        case .send, .batch, .finish, .fault, .run:
            return .act(step.act, words: plan.words(step.act))
        }
    }

    /// The deadline of the current expectation; nil if there is none.
    package var deadline: Interval? {
        guard case .expect(let expectation)? = step?.act else { return nil }
        return last + expectation.limit
    }

    // MARK: Answers

    /// The action was carried out.
    package mutating func done(at now: Interval) {
        guard let step else { return }
        if case .fault(let fault) = step.act { book.note(fault) }
        if case .send(let messages) = step.act, messages.contains(where: { $0.refusal != nil }) {
            add(step, .met(now - last), limit: nil)
        }
        if case .run(let command) = step.act { add(step, .met(now - last), limit: command.limit) }
        advance(now)
    }

    /// The action was impossible: the plan ends here.
    package mutating func failed(_ what: String, at now: Interval) {
        guard let step = step ?? plan.steps.last else { return }
        add(step, .missed(what), limit: step.act.limit)
        note(now)
        giveUp()
    }

    /// The requested hosts were observed.
    ///
    /// - Returns: the part of the expectation that is still missing; nil if it holds or has failed.
    @discardableResult
    package mutating func seen(_ views: [HostView], at now: Interval) -> String? {
        guard let step else { return nil }
        guard case .expect(let expectation) = step.act else {
            for view in views { book.baseline[view.host] = view }
            advance(now)
            return nil
        }
        let taken = now - last
        guard let missing = judge.verdict(expectation, views) else {
            add(step, .met(taken), limit: expectation.limit)
            advance(now)
            return nil
        }
        guard taken > expectation.limit else { return missing }
        add(step, .missed(missing), limit: expectation.limit)
        note(now)
        giveUp()
        return nil
    }

    /// A node acknowledged a message.
    package mutating func acknowledged(
        _ acknowledgement: PlanBook.Acknowledgement,
        name: String? = nil
    ) {
        book.add(acknowledgement, name: name)
    }

    // MARK: Parts

    private mutating func advance(_ now: Interval) {
        note(now)
        index += 1
        last = now
    }

    private mutating func note(_ now: Interval) {
        guard let step else { return }
        let words = plan.words(step.act)
        report.steps.append(
            PlanReport.Step(line: step.line, words: words, start: last, end: now)
        )
    }

    private mutating func add(
        _ step: PlanStep,
        _ outcome: PlanReport.Row.Outcome,
        limit: Interval?
    ) {
        report.add(
            PlanReport.Row(
                line: step.line,
                words: step.group?.words ?? plan.words(step.act),
                limit: limit,
                outcome: outcome,
                group: step.group?.number
            )
        )
    }

    private mutating func giveUp() {
        let rest = plan.steps[min(index + 1, plan.steps.count)...]
        index = plan.steps.count
        for step in rest {
            switch step.act {
            case .expect, .run: add(step, .notReached, limit: step.act.limit)
            case .send, .batch, .finish, .fault, .pass, .count: break
            }
        }
    }
}

extension PlanAct {
    /// The time in which an expectation or a command must succeed.
    fileprivate var limit: Interval? {
        switch self {
        case .expect(let expectation): expectation.limit
        case .run(let command): command.limit
        case .send, .batch, .finish, .fault, .pass, .count: nil
        }
    }
}
