import ParleyCore
import ParleyFaults
import ParleyYAML
import Testing

/// Plan files: what is read, and what is refused with which words.
@Suite struct PlanReadingTests {
    @Test func readsProgramsInPlaceOfNodes() throws {
        let plan = try Plan(
            yaml: """
                plan: No Parley
                worlds: lab
                hosts:
                  web:
                    node: no
                    programs:
                      nginx: {run: nginx -g 'daemon off;', ready: {port: 80, path: /up}}
                      cache: {run: redis-server, ready: {log: Ready to accept}}
                  shop: {node: no}
                steps:
                  - run: {on: shop, command: curl $web, exits: 7, prints: refused, within: 2s}
                  - program: {host: web, name: cache, do: hang}
                """
        )
        let (web, shop) = (plan.hosts[0], plan.hosts[1])
        #expect(!web.hasNode && !web.startsAtOnce && shop.programs.isEmpty)
        #expect(
            web.programs.map(\.readiness) == [
                .http(port: 80, path: "/up"), .log("Ready to accept"),
            ]
        )
        let command = PlanCommand(
            host: HostID(1),
            command: "curl $web",
            exitCode: 7,
            prints: "refused",
            limit: .seconds(2)
        )
        #expect(plan.steps.map(\.act) == [.run(command), .fault(.program(HostID(0), 1, .hang))])
        #expect(plan.impossibleFaults(in: .lab).isEmpty)
        #expect(plan.impossibleFaults(in: .simulator).map(\.name) == ["run", "program"])
        #expect(command.deviation(exitCode: 7, output: "port 80: refused\n") == nil)
        let deviation = command.deviation(exitCode: 0, output: "refused")
        #expect(deviation == "ends with 0, not 7, and prints “refused”")
        #expect(
            command.deviation(exitCode: 7, output: "a\nb\n") == "prints “b”, not “refused”"
        )
    }

    /// A host without a node is in no conversation, and its node can do nothing.
    @Test(arguments: [
        ("- start: web", "web has no node"), ("- stop: web", "web has no node"),
        ("- send: {by: web, session: s, url: u}", "no conversation"),
        ("- expect: {same: yes}", "no conversation"),
    ])
    func hostsWithoutNodesDoNothingWithThem(step: String, says: String) {
        let error = #expect(throws: YAMLError.self) {
            try Plan(yaml: "plan: A\nhosts: {web: {node: no}}\nsteps:\n  \(step)\n")
        }
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    @Test func readsHostsConversationsAndSteps() throws {
        let plan = try Plan(
            yaml: """
                plan: Everything once
                about: Anything
                worlds: [simulator, lab]
                hosts:
                  ann:
                  ben: {peers: ann, discovery: no, avahi: no}
                  rex: {starts: later, disk: 8MB}
                conversations:
                  games: {writers: [ann, ben], relays: rex}
                apart: [[ann, ben]]
                steps:
                  - send:
                      {by: ann, session: chess, url: '?a', picture: 2KiB, next: ben, as: first}
                  - at: 1.5s
                    isolate: ben
                  - expect: {linked: [ann, ben], within: 300ms}
                  - batch: {by: ben, session: s, sessions: 3, count: 9, rate: 500/s}
                """
        )
        #expect(plan.title == "Everything once")
        #expect(plan.hosts.map(\.name) == ["ann", "ben", "rex"])
        #expect(plan.hosts[1].peers == [HostID(0)])
        #expect(!plan.hosts[1].usesDiscovery && !plan.hosts[1].hasAvahi)
        #expect(!plan.hosts[2].startsAtOnce && plan.hosts[2].diskBytes == 8_000_000)
        #expect(plan.conversations[0].role(of: HostID(2)) == .relay)
        #expect(plan.conversations[0].audience == [HostID(0), HostID(1)])
        #expect(plan.apart.count == 2)
        #expect(plan.steps.map(\.line) == [13, 15, 16, 17])
        #expect(plan.steps[1].time == .milliseconds(1_500))
        guard case .send(let messages) = plan.steps[0].act,
            case .batch(let batch) = plan.steps[3].act
        else { throw WrongStep() }
        #expect(messages[0].pictureBytes == 2_048)
        #expect(messages[0].next == [HostID(1)])
        #expect(batch.session(of: 4) == "s-2")
        #expect(batch.rate == 500)
    }

    @Test func writesTurnsAndRepetitionsOut() throws {
        let plan = try Plan(
            yaml: """
                plan: Written out
                hosts: [ann, ben]
                conversations: {games: {writers: [ann, ben]}}
                steps:
                  - turns: {by: [ann, ben], session: chess, moves: 3, pictures: {2: 1KB}}
                  - repeat:
                      times: 2
                      steps:
                        - send: {by: ann, session: 's{round}', url: '?{round}'}
                """
        )
        #expect(plan.steps.count == 8)
        let sends = plan.steps.compactMap { step -> PlanMessage? in
            if case .send(let messages) = step.act { messages.first } else { nil }
        }
        #expect(sends.map(\.by.index) == [0, 1, 0, 0, 0])
        #expect(sends.map(\.pictureBytes) == [0, 1_000, 0, 0, 0])
        #expect(sends.map(\.session) == ["chess", "chess", "chess", "s1", "s2"])
        #expect(sends.map(\.next) == [[HostID(1)], [HostID(0)], [HostID(1)], [], []])
    }

    @Test func saysWhatTheLabCannotMake() throws {
        let plan = try Plan(
            yaml: """
                plan: Slow
                hosts: [ann, ben]
                conversations: {games: {writers: [ann, ben]}}
                steps:
                  - delay: {host: ann, by: 100ms}
                  - reorder: {host: ben, up-to: 100ms}
                  - clock: {host: ben, by: -1d}
                  - duplicate: {host: ben, share: 1%}
                  - intrude: {by: ben, at: ann, with: [zeros, forged-envelope]}
                """
        )
        let doubled = plan.impossibleFaults(in: .simulator)
        #expect(doubled.map(\.name) == ["duplicate"] && doubled.map(\.line) == [8])
        let forged = plan.impossibleFaults(in: .lab)
        #expect(forged.map(\.name) == ["intrude with forged-envelope"])
        #expect(forged.map(\.line) == [9])
    }

    @Test(arguments: RefusedPlan.all)
    func refuses(_ refused: RefusedPlan) throws {
        let error = #expect(throws: YAMLError.self) { try Plan(yaml: refused.yaml) }
        #expect(error?.kind == refused.kind, "\(error?.message ?? "")")
        #expect(error?.line == refused.line, "\(error?.message ?? "")")
        let words = "\(error?.message ?? "") \(error?.hint ?? "")"
        #expect(words.contains(refused.says), "\(words)")
    }

    private struct WrongStep: Error {}
}

/// A file that is no plan, and what is said of it.
struct RefusedPlan: Sendable, CustomTestStringConvertible {
    let yaml: String
    let kind: YAMLError.Kind
    let line: Int
    let says: String

    var testDescription: String { "\(kind), line \(line): \(says)" }

    /// A whole file.
    init(file yaml: String, _ kind: YAMLError.Kind, line: Int, _ says: String) {
        self.yaml = yaml
        self.kind = kind
        self.line = line
        self.says = says
    }

    /// Steps of a plan in which everything else is as it must be; line 1 is the first step.
    init(_ steps: String, _ kind: YAMLError.Kind, line: Int = 1, _ says: String) {
        let lines = steps.split(separator: "\n").map { "  \($0)\n" }.joined()
        self.init(file: Self.head + lines, kind, line: line + 8, says)
    }

    private static let head = """
        plan: A plan
        hosts:
          ann: {disk: 8MB}
          ben:
          cid: {starts: later}
        conversations:
          games: {writers: [ann, ben, cid]}
        steps:

        """

    static let all = files + hosts + messages + expectations + times + states + faults

    private static let files = [
        RefusedPlan(file: "", .notYAML, line: 1, "empty"),
        RefusedPlan(file: "plan: [", .notYAML, line: 2, "not YAML"),
        RefusedPlan(file: "plan: a: b\n", .notYAML, line: 1, "quote"),
        RefusedPlan(file: "- plan", .wrongType, line: 1, "mapping"),
        RefusedPlan(file: "plan: A\n? [x]\n: y\n", .notYAML, line: 2, "one word"),
        RefusedPlan(file: "plan: &a A\nabout: *a\n", .notYAML, line: 1, "Anchors"),
        RefusedPlan(file: "plan: A\nhost: [ann]\n", .unknownKey, line: 2, "Did you mean hosts?"),
        RefusedPlan(file: "plan: A\nplan: B\n", .repeated, line: 2, "twice"),
        RefusedPlan(file: "about: A\n", .missingKey, line: 1, "needs plan"),
        RefusedPlan(
            file: String(repeating: "#", count: PlanLimits.fileBytes + 1),
            .tooLarge,
            line: 0,
            "\(PlanLimits.fileBytes)"
        ),
        RefusedPlan(
            file: "plan: A\nworlds: [moon]\nhosts: [a]\n",
            .badValue,
            line: 2,
            "simulator, lab"
        ),
    ]

    private static let hosts = [
        file("hosts: ann", .wrongType, "hosts: [ann, ben]"),
        file("hosts: [ann, ann]", .repeated, "ann is there twice"),
        file("hosts: [Ann]", .badValue, "Small letters"),
        file("hosts: [\((1...17).map { "h\($0)" }.joined(separator: ", "))]", .tooLarge, "1 to 16"),
        file("hosts: {ann: {peer: ben}}", .unknownKey, "Did you mean peers?"),
        file("hosts: {ann: {peers: ben}}", .unknownName, "ben"),
        file("hosts: {ann: {starts: soon}}", .badValue, "later"),
        file("hosts: {ann: {disk: 1MB}}", .badValue, "4MB at least"),
        file("hosts: {ann: {avahi: maybe}}", .wrongType, "yes or no"),
        file("hosts: [ann]\nconversations: {}", .tooLarge, line: 3, "1 to 8"),
        file("hosts: [ann]\nconversations: {g: {readers: ann}}", .missingKey, line: 3, "writers"),
        file("hosts: [ann]\nconversations: {g: {writers: bob}}", .unknownName, line: 3, "ann"),
        file("hosts: [ann]\nconversations: {g: {writer: ann}}", .unknownKey, line: 3, "writers?"),
        file(
            "hosts: [ann]\nconversations: {g: {writers: ann, readers: ann}}",
            .repeated,
            line: 3,
            "two roles"
        ),
        file(
            "hosts: {ann: {starts: later}}\nconversations: {g: {writers: ann}}",
            .impossible,
            line: 3,
            "starts later"
        ),
        file(
            "hosts: [ann]\nconversations: {g: {writers: ann}}\napart: [[ann]]\nsteps: [finish]",
            .badValue,
            line: 4,
            "It takes 2"
        ),
        file(
            "hosts: [ann]\nconversations: {g: {writers: ann}}\nsteps: []",
            .missingKey,
            line: 4,
            "no"
        ),
    ]

    private static func file(
        _ rest: String,
        _ kind: YAMLError.Kind,
        line: Int = 2,
        _ says: String
    ) -> RefusedPlan {
        RefusedPlan(file: "plan: A\n\(rest)\n", kind, line: line, says)
    }
}
