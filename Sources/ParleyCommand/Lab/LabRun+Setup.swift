import Foundation
import ParleyAPI
import ParleyCore
import ParleyFaults

/// Making the hosts of a plan, with their nodes and conversations.
extension LabRun {
    /// Makes the hosts; returns when all initial nodes are ready and have joined their
    /// conversations.
    func setUp() async throws {
        let files = FileManager.default
        for (index, host) in plan.hosts.enumerated() {
            let folder = hosts[index].directory
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            if host.diskBytes > 0 { try await mount(folder, bytes: host.diskBytes) }
        }
        screen.say(hosts.count == 1 ? "Making a host…" : "Making \(hosts.count) hosts…")
        if plan.faults.contains(where: \.isOfPackets) {
            try await script.run("up", "\(hosts.count)", "tap")
            wire = try await LabWire(script, hosts: hosts.count, seed: seed)
            screen.say("The faults of packets have the seed \(seed).")
        } else {
            try await script.run("up", "\(hosts.count)")
        }
        closed = plan.apart
        if !closed.isEmpty { try await block() }
        for host in hosts where !host.host.hasAvahi {
            try await script.run("avahi", "\(host.number)", "stop")
            try await script.run("dbus", "\(host.number)", "stop")
        }
        let present = plan.hostIDs.filter { plan.host($0).startsAtOnce }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for host in present { group.addTask { try await self.startNode(host) } }
            try await group.waitForAll()
        }
        for (number, conversation) in plan.conversations.enumerated() {
            let maker = conversation.members[0].host
            try await create(conversation, by: maker)
            for host in present where host != maker { try await join(number, host) }
        }
        for host in present { await hosts[host.index].joined() }
        try await programs.startAll()
    }

    private func mount(_ mountPoint: URL, bytes: Int) async throws {
        let words = [
            "/bin/mount", "-t", "tmpfs", "-o", "size=\(bytes)", "parley-lab", mountPoint.path,
        ]
        let outcome = try await LabProgram.run(words, scratch: directory)
        guard outcome.exitCode == 0 else {
            throw Problem(.labFailed, "A disk cannot be mounted: \(outcome.errors)")
        }
    }

    /// Starts a node; the first time it joins its conversations.
    func start(_ host: HostID) async throws {
        try await startNode(host)
        guard await !hosts[host.index].wasJoined else { return }
        for number in plan.conversations.indices { try await join(number, host) }
        await hosts[host.index].joined()
    }

    private func startNode(_ id: HostID) async throws {
        let host = plan.host(id)
        var options = host.usesDiscovery ? [] : ["--no-discovery"]
        for peer in host.peers { options += ["--peer", hosts[peer.index].address] }
        let roles = plan.conversations.compactMap { $0.role(of: id) }
        if !roles.isEmpty, roles.allSatisfy({ $0 == .relay }) { options.append("--relay") }
        try await hosts[id.index].start(options)
    }

    private func create(_ conversation: PlanConversation, by maker: HostID) async throws {
        _ = try await hosts[maker.index].client.post(
            "conversations",
            CreateDocument(name: conversation.name),
            as: Conversation.self
        )
    }

    /// Joins a conversation by the invite of a writer whose node is running.
    private func join(_ number: Int, _ host: HostID) async throws {
        let conversation = plan.conversations[number]
        guard let role = conversation.role(of: host) else { return }
        let writers = conversation.members.filter { $0.role == .writer && $0.host != host }
        guard let writer = writers.first(where: { run.book.running.contains($0.host) }) else {
            throw Problem(
                .planFailed,
                "No writer of \(conversation.name) runs who could invite \(plan.name(host))."
            )
        }
        let invite = try await hosts[writer.host.index].client.post(
            PathText.conversation(conversation.name) + "/invites",
            InviteRequest(role: role.rawValue),
            as: Invite.self
        )
        _ = try await hosts[host.index].client.post(
            "join",
            JoinDocument(link: invite.link, name: nil),
            as: Conversation.self
        )
    }

    /// Loads the closed paths into the switch.
    func block() async throws {
        let paths = closed.sorted().map { path in
            "\(hosts[path.from.index].number)-\(hosts[path.to.index].number)"
        }
        try await script.run(verb: "block", paths)
    }

    /// Ends every node, whatever state it is in.
    func tearDown() async {
        for batch in batches { batch.cancel() }
        await programs.endAll()
        for host in hosts { await host.crash() }
    }
}
