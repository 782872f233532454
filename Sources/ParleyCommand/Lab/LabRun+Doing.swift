import Foundation
import ParleyAPI
import ParleyCore
import ParleyFaults
import ParleyKeys

/// Steps of a plan on the lab.
extension LabRun {
    /// Carries out one act of the plan.
    ///
    /// - Returns: why the result is not as the plan expects, or nil.
    /// - Throws: a `Problem` if the act could not be carried out.
    func perform(_ act: PlanAct) async throws -> String? {
        switch act {
        case .send(let messages): return try await send(messages)
        case .batch(let batch):
            try await begin(batch)
            return batch.isMeanwhile ? nil : try await finish()
        case .finish: return try await finish()
        case .run(let command): return try await programs.run(command)
        case .fault(let fault):
            try await perform(fault)
            return nil
        case .expect, .pass, .count: return nil
        }
    }

    // MARK: Messages

    private func send(_ messages: [PlanMessage]) async throws -> String? {
        var documents: [SendDocument] = []
        for message in messages { documents.append(try await document(message)) }
        let outcomes = try await withThrowingTaskGroup(of: (Int, PlanOutcome).self) { group in
            for (index, message) in messages.enumerated() {
                let document = documents[index]
                group.addTask { (index, try await self.outcome(message, document)) }
            }
            var outcomes: [(Int, PlanOutcome)] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
        }
        for (message, outcome) in zip(messages, outcomes) {
            if let failure = run.answered(message, outcome) { return failure }
        }
        return nil
    }

    private func outcome(
        _ message: PlanMessage,
        _ document: SendDocument
    ) async throws -> PlanOutcome {
        let path = path(message.conversation) + "/messages"
        let client = hosts[message.by.index].client
        do {
            let sent = try await LabWait.answer {
                try await client.post(path, document, as: SentMessage.self)
            }
            return .stored(id: sent.id.description, revision: sent.revision)
        } catch {
            guard error.exitStatus == .refused || message.refusal != nil else { throw error }
            return .refused(error.kind.rawValue)
        }
    }

    private func document(_ message: PlanMessage) async throws -> SendDocument {
        var document = SendDocument()
        document.url = message.url
        document.session = id(ofSession: message.session, message.conversation)
        document.layout.caption = message.caption
        document.summary = message.summary
        if message.pictureBytes > 0 {
            let bytes = PlanPicture.bytes(message.pictureBytes, url: message.url)
            document.imageData = Data(bytes)
            document.imageType = "image/png"
            // The arriving bytes are compared, including bytes after the end of the picture.
            document.keepMetadata = true
        }
        var next: [String] = []
        for host in message.next {
            next.append(try await participant(host, message.conversation, askedBy: message.by))
        }
        document.next = next.isEmpty ? nil : next
        if case .named(let name) = message.replacing {
            guard let id = run.book.named[name] else {
                throw Problem(.planFailed, "\(name) was never stored")
            }
            document.replacing = [id]
        }
        if message.deliveries > 0 { document.wait = "delivered=\(message.deliveries)" }
        return document
    }

    /// The participant ID of a host, which is the same on every node of the conversation.
    private func participant(
        _ host: HostID,
        _ conversation: Int,
        askedBy asker: HostID
    ) async throws -> String {
        let name = plan.conversations[conversation].name
        let device = await hosts[host.index].device?.text
        let client = hosts[asker.index].client
        for candidate in [client, hosts[host.index].client] {
            let all = try await candidate.get("conversations", as: [ParleyAPI.Conversation].self)
            let known = all.first { $0.name == name }?.participants
            if let found = known?.first(where: { $0.device == device }) {
                return found.id.uuidString
            }
        }
        throw Problem(.planFailed, "\(plan.name(host)) is not a participant of \(name)")
    }

    func path(_ conversation: Int) -> String {
        PathText.conversation(plan.conversations[conversation].name)
    }

    /// The UUID of a session of the plan, which is made on first use.
    func id(ofSession name: String, _ conversation: Int) -> String {
        let key = "\(conversation)/\(name)"
        if let id = sessionIDs[key] { return id }
        let id = UUID().uuidString
        sessionIDs[key] = id
        sessionNames[id] = name
        return id
    }

    // MARK: Batches

    private func begin(_ batch: PlanBatch) async throws {
        let names = (0..<batch.sessions).map(batch.session(of:))
        let host = hosts[batch.by.index]
        batches.append(
            LabBatch(
                batch,
                path: path(batch.conversation) + "/batch",
                sessions: names.map { id(ofSession: $0, batch.conversation) },
                starts: await host.starts,
                client: host.client
            ) { [weak self] sent in await self?.acknowledge(sent, of: batch) }
        )
    }

    private func acknowledge(_ sent: SentMessage, of batch: PlanBatch) {
        let session = sent.session.description
        run.acknowledged(
            PlanBook.Acknowledgement(
                by: batch.by,
                conversation: batch.conversation,
                session: sessionNames[session] ?? session,
                id: sent.id.description,
                revision: sent.revision
            )
        )
    }

    /// Waits for all batches; a batch whose node the plan has stopped may be incomplete.
    private func finish() async throws -> String? {
        for batch in batches {
            let failure = await batch.failure()
            let host = hosts[batch.by.index]
            let hasEnded = await !host.isRunning
            let starts = await host.starts
            guard let failure, !hasEnded, starts == batch.starts else { continue }
            return failure
        }
        batches = []
        return nil
    }

    // MARK: Faults

    private func perform(_ fault: PlanFault) async throws {
        switch fault {
        case .close(let paths):
            closed.formUnion(paths)
            try await block()
        case .open(let paths):
            closed.subtract(paths)
            try await block()
        case .heal(let healed, let paths):
            closed.subtract(paths)
            try await block()
            for host in healed { await wire?.perform(.loss(host, per10000: 0)) }
        case .slow(let host, 0): try await script.run("rate", number(host), "off")
        case .slow(let host, let bits):
            try await script.run("rate", number(host), "\(bits / 1_000)")
        case .loss, .delay, .reorder, .duplicate: await wire?.perform(fault)
        case .stop(let host): try await hosts[host.index].stop()
        case .kill(let host): await hosts[host.index].crash()
        case .start(let host): try await start(host)
        case .pause(let host): await hosts[host.index].signal(SIGSTOP)
        case .resume(let host): await hosts[host.index].signal(SIGCONT)
        case .program(let host, let index, let act):
            try await programs.perform(act, on: .init(host: host, index: index))
        case .avahi(let host, let act): try await daemon("avahi", host, act)
        case .bus(let host, let act): try await daemon("dbus", host, act)
        case .intrude(let intrusion): try await intrude(intrusion)
        case .clone, .backup, .restore, .fillDisk, .freeDisk: try await performOnDisk(fault)
        case .clock(let host, let by):
            let offset = clocks[host, default: Interval(nanoseconds: 0)] + by
            clocks[host] = offset
            try hosts[host.index].clock?.set(offset)
        }
    }

    private func number(_ host: HostID) -> String { "\(hosts[host.index].number)" }

    private func daemon(
        _ name: String,
        _ host: HostID,
        _ act: PlanFault.DaemonAct
    ) async throws {
        let verb = act == .resume ? "continue" : act.rawValue
        try await script.run(name, number(host), verb)
    }

    /// Connects a client that is no node, sends bytes, and reads to the end of the connection.
    private func intrude(_ intrusion: PlanIntrusion) async throws {
        guard run.book.canReach(intrusion.by, intrusion.at) else {
            let names = [intrusion.at, intrusion.by].map(plan.name)
            throw Problem(.planFailed, "\(names[0]) cannot be reached from \(names[1])")
        }
        intruders.insert(intrusion.by)
        let file = script.scratch.appending(path: "intruder")
        try Data(intrusion.bytes ?? []).write(to: file)
        let address = hosts[intrusion.at.index].address.replacing(":", with: "/")
        let words = """
            exec 3<>/dev/tcp/\(address) || exit 1
            cat \(ShellWord.quoted(file.path)) >&3 2>/dev/null; cat <&3 >/dev/null 2>&1; exit 0
            """
        try await script.run("exec", number(intrusion.by), "timeout", "20", "bash", "-c", words)
    }

    private func performOnDisk(_ fault: PlanFault) async throws {
        switch fault {
        case .clone(let source, let target):
            let (one, other) = (hosts[source.index], hosts[target.index])
            try await one.copyData(from: one.data, to: other.data)
            await other.joined()
        case .backup(let host):
            let host = hosts[host.index]
            try await host.copyData(from: host.data, to: Self.backup(of: host))
        case .restore(let host):
            let host = hosts[host.index]
            try await host.copyData(from: Self.backup(of: host), to: host.data)
        case .fillDisk(let host): try await hosts[host.index].fillDisk()
        case .freeDisk(let host): try await hosts[host.index].freeDisk()
        default: break
        }
    }

    private static func backup(of host: LabHost) -> URL { host.directory.appending(path: "backup") }
}

/// Requests to nodes that may not answer.
enum LabWait {
    /// Returns the answer of `ask`, or throws a `Problem` after `LabRun.patience`.
    static func answer<Answer: Sendable>(
        _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws(Problem) -> Answer {
        do {
            return try await withThrowingTaskGroup(of: Answer?.self) { group in
                group.addTask { try await ask() }
                group.addTask {
                    try await Task.sleep(for: LabRun.patience)
                    return nil
                }
                defer { group.cancelAll() }
                guard let first = try await group.next(), let answer = first else {
                    throw Problem(.planFailed, "A node did not answer in time.")
                }
                return answer
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.planFailed, "A request failed: \(error)")
        }
    }
}
