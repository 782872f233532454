import ParleyCore
import ParleyYAML

/// Reads the steps of a plan and tracks which nodes run at each of them.
struct StepReader {
    let plan: Plan
    var steps: [PlanStep] = []
    var state: PlanState
    var batches = 0
    var groups = 0
    /// The number that stands for `{round}`; 0 outside of `repeat`.
    private var round = 0
    private var lastTime = Interval(nanoseconds: 0)

    static let verbs = [
        "send", "answer", "batch", "turns", "finish", "expect", "works", "count", "pass", "repeat",
        "isolate", "partition", "cut", "one-way", "flap", "mend", "heal", "slow", "loss", "delay",
        "reorder", "duplicate", "stop", "kill", "start", "pause", "resume", "run", "program",
        "avahi", "bus", "clone", "backup", "restore", "fill-disk", "free-disk", "clock", "intrude",
    ]

    init(_ plan: Plan) {
        self.plan = plan
        state = PlanState(plan)
    }

    mutating func steps(_ node: YAMLNode) throws(YAMLError) -> [PlanStep] {
        for step in try node.list("steps") { try read(step) }
        guard !steps.isEmpty else {
            throw YAMLError(
                .missingKey,
                line: node.line,
                "There are no steps.",
                hint: "Write: steps: and below it lines that begin with a dash."
            )
        }
        return steps
    }

    private mutating func read(_ node: YAMLNode) throws(YAMLError) {
        // `- finish` is a step of one word.
        if case .text(let verb) = node.value, verb == "finish" || verb == "count" {
            try add(verb == "finish" ? .finish : .count, line: node.line, time: nil)
            return
        }
        let fields = try YAMLFields(node, of: "a step", keys: Self.verbs + ["at"])
        let present = Self.verbs.filter { fields[$0] != nil }
        guard present.count == 1, let verb = present.first, let value = fields[verb] else {
            throw YAMLError(
                present.isEmpty ? .missingKey : .repeated,
                line: node.line,
                present.isEmpty
                    ? "The step does nothing."
                    : "The step does two things: \(present.joined(separator: ", ")).",
                hint: "One step does one thing; begin another with a dash."
            )
        }
        let time = try self.time(fields["at"])
        if verb == "repeat" { return try repeated(value) }
        let first = steps.count
        try perform(verb, value)
        guard let time else { return }
        // A composite step starts at the time of its first part.
        if first < steps.count { steps[first].time = time }
    }

    private mutating func time(_ node: YAMLNode?) throws(YAMLError) -> Interval? {
        guard let node else { return nil }
        let time = try node.duration("at")
        guard round == 0 else {
            throw YAMLError(
                .impossible,
                line: node.line,
                "A step that is repeated has no time of its own.",
                hint: "Use pass: \(time.words)"
            )
        }
        guard time >= lastTime else {
            throw YAMLError(
                .impossible,
                line: node.line,
                "\(time.words) is before the steps above are done, at \(lastTime.words).",
                hint: "Steps are done in their order; move it up, or make it later."
            )
        }
        lastTime = time
        return time
    }

    private mutating func repeated(_ node: YAMLNode) throws(YAMLError) {
        let fields = try YAMLFields(node, of: "repeat", keys: ["times", "steps"])
        guard round == 0 else {
            throw YAMLError(
                .impossible,
                line: node.line,
                "repeat stands in another repeat.",
                hint: "Write the inner one out."
            )
        }
        let times = try fields.required("times").number("times", in: 1...1_000)
        let inner = try fields.required("steps").list("steps")
        for number in 1...times {
            round = number
            for step in inner { try read(step) }
        }
        round = 0
    }

    mutating func add(
        _ act: PlanAct,
        line: Int,
        time: Interval? = nil,
        group: PlanGroup? = nil
    ) throws(YAMLError) {
        guard steps.count < PlanLimits.steps else {
            throw YAMLError(
                .tooLarge,
                line: line,
                "The plan has over \(PlanLimits.steps) steps.",
                hint: "Repeat less often."
            )
        }
        steps.append(PlanStep(line: line, time: time, act: act, group: group))
    }

    /// A text in which `{round}` is the number of the repetition.
    func filled(_ text: String) -> String {
        guard text.contains("{round}") else { return text }
        return text.split(separator: "{round}", omittingEmptySubsequences: false)
            .joined(separator: "\(round)")
    }

    mutating func newGroup(_ words: String) -> PlanGroup {
        groups += 1
        return PlanGroup(number: groups, words: words)
    }

    // MARK: Verbs

    /// A pause; later steps are not before its end.
    private mutating func pass(_ length: Interval, line: Int) throws(YAMLError) {
        lastTime = lastTime + length
        guard lastTime <= .seconds(PlanLimits.days * 86_400) else {
            throw YAMLError(
                .tooLarge,
                line: line,
                "The plan takes more than \(PlanLimits.days) days.",
                hint: "Repeat less often, or shorten a pause."
            )
        }
        try add(.pass(length), line: line)
    }

    /// A path that is silent for the first half of each period, and open at the end.
    private mutating func flap(_ node: YAMLNode) throws(YAMLError) {
        let fields = try YAMLFields(node, of: "flap", keys: ["between", "every", "for"])
        let faults = FaultReader(plan: plan, state: state)
        let paths = try faults.pair("between", try fields.required("between"))
        let every = try fields.required("every")
        let (period, whole) = (
            try every.duration("every"), try fields.required("for").duration("for")
        )
        guard period >= PlanLimits.flapMin, period <= whole else {
            throw YAMLError(
                .badValue,
                line: every.line,
                "A period of \(period.words) is out of range.",
                hint: "It takes \(PlanLimits.flapMin.words) to \(whole.words), as for says."
            )
        }
        let half = Interval(nanoseconds: period.nanoseconds / 2)
        for _ in 0..<whole.nanoseconds / period.nanoseconds {
            for fault in [PlanFault.close(paths), .open(paths)] {
                try add(.fault(fault), line: node.line)
                try pass(half, line: node.line)
            }
        }
    }

    private mutating func perform(_ verb: String, _ node: YAMLNode) throws(YAMLError) {
        switch verb {
        case "send": try send(node)
        case "answer": try answer(node)
        case "batch": try batch(node)
        case "turns": try turns(node)
        case "expect": try expect(node)
        case "works": try works(node)
        case "flap": try flap(node)
        case "run":
            try add(.run(try ProgramReader.command(node, in: plan)), line: node.line)
        case "finish": try add(.finish, line: node.line)
        case "count": try add(.count, line: node.line)
        case "pass":
            try pass(try node.duration("pass"), line: node.line)
        default:
            for fault in try FaultReader(plan: plan, state: state).faults(verb, node) {
                try state.note(fault, line: node.line)
                try add(.fault(fault), line: node.line)
            }
        }
    }
}
