import ParleyCore
import ParleyFaults
import Testing

/// The program of a simulated node and its person, with a disk that commits at once.
@Suite struct SimulatedProgramTests {
    private var program = SimulatedProgram()
    private var person = SimulatedPerson()
    private var disk = SimulatedDisk()
    private let table = SimulatedConversation(1)
    private let crypto = SimulatedCryptography(seed: 1)

    private mutating func start() {
        let effects = program.start(
            NodeConfiguration(deviceName: "node", software: "test 1"),
            crypto: crypto,
            random: SeededRandom(seed: 1),
            disk: disk,
            at: .start
        )
        if let persist = effects.persist { disk.apply(persist.writes) }
    }

    /// The deliveries that follow from an input, its commits included.
    private mutating func handle(_ input: NodeInput) -> [Delivery] {
        guard let effects = program.handle([input], at: .start) else { return [] }
        guard let persist = effects.persist else { return effects.deliveries }
        disk.apply(persist.writes)
        return effects.deliveries + handle(.committed(persist.ticket))
    }

    private mutating func join() {
        let device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
        let number = disk.nextConversation()
        let record = table.record(number: number, role: .writer, device: device)
        _ = handle(.joined(record))
    }

    private mutating func send(_ text: String) -> [Delivery] {
        let body = MessageBody(
            session: SessionUUID(session: "s"),
            place: 0,
            sentAt: 0,
            url: text,
            layout: .template(TemplateLayout(caption: text))
        )
        let request = AuthorRequest(
            request: person.nextRequest(at: 0),
            conversation: 1,
            body: body
        )
        return handle(.authored([request]))
    }

    private var view: SessionView? { program.machine?.conversations.first?.view(0) }

    @Test mutating func aProgramEndsAndStartsFromItsDisk() {
        #expect(program.handle([.timer], at: .start) == nil)
        start()
        join()
        #expect(program.isRunning && program.load != nil)
        program.end(losesPower: true)
        #expect(!program.isRunning && program.machine == nil && program.isWithoutPower)
        start()
        #expect(program.process == 2 && !program.isWithoutPower)
        #expect(program.machine?.conversations.first?.record.id == table.id)
        #expect(disk.nextConversation() == 2)
    }

    @Test mutating func aPersonNoticesWhatIsNotOnDisk() throws {
        start()
        join()
        let answer = try #require(
            send("one").first { if case .answer = $0 { true } else { false } }
        )
        #expect(person.take(answer, disk: disk, view: nil) == nil)
        #expect(person.acknowledged.map(\.conversation) == [table.id])
        #expect(person.take(answer, disk: disk, view: nil) == "answers a request twice")
        var other = SimulatedPerson()
        let problem = other.take(answer, disk: SimulatedDisk(), view: nil)
        #expect(problem == "acknowledges what is not on its disk")
        person.leave(table.id)
        #expect(person.acknowledged.isEmpty)
    }

    @Test mutating func aPersonNoticesAnOlderMessage() throws {
        start()
        join()
        let shown = try #require(send("one").first { if case .shown = $0 { true } else { false } })
        let before = view
        _ = send("two")
        let after = view
        #expect(person.take(shown, disk: disk, view: after) == nil)
        #expect(person.take(shown, disk: disk, view: before) == "went back from revision 2")
        person.forgetShown()
        #expect(person.take(shown, disk: disk, view: before) == nil)
        #expect(
            person.take(shown, disk: disk, view: nil) == "shows a session that it does not have"
        )
    }
}
