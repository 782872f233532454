import Foundation
import ParleyAPI
import ParleyNode
import ParleyCore
import ParleyFaults
import ParleyKeys

/// Observing the nodes of the lab.
extension LabRun {
    func views(_ question: PlanQuestion) async throws -> [HostView] {
        var views: [HostView] = []
        for host in question.hosts { views.append(try await view(host, question)) }
        return views
    }

    private func view(_ id: HostID, _ question: PlanQuestion) async throws -> HostView {
        let host = hosts[id.index]
        var view = HostView(id)
        view.isRunning = await host.isRunning
        guard view.isRunning else { return view }
        let parts = question.parts
        if parts.contains(.sessions) { view.sessions = try await sessions(id, question) }
        if parts.contains(.links) { try await addLinks(&view) }
        if parts.contains(.received) {
            let status = try await get("status", as: NodeStatus.self, of: id)
            view.received = .total(Int(status.envelopesReceived))
        }
        if parts.contains(.closures) { try await addClosures(&view) }
        if parts.contains(.remembered) {
            for other in plan.hostIDs where other != id {
                guard let device = await hosts[other.index].device,
                    await device != host.device, try await host.remembers(device)
                else { continue }
                view.remembered.append(other)
            }
        }
        if parts.contains(.refusals) {
            view.turnedAway = try await host.logLines("nothingShared").count
            view.intrudersEnded = try await intrudersEnded(at: host)
            view.saidDuplicate = try await !host.logLines("duplicate identity").isEmpty
        }
        return view
    }

    private func get<Answer: Decodable & Sendable>(
        _ path: String,
        as type: Answer.Type,
        of host: HostID
    ) async throws -> Answer {
        let client = hosts[host.index].client
        return try await LabWait.answer { try await client.get(path, as: type) }
    }

    /// The number of failed handshakes with hosts of intruders.
    private func intrudersEnded(at host: LabHost) async throws -> Int {
        let addresses = Set(intruders.map { "at=\(hosts[$0.index].ip) " })
        return try await host.logLines("handshake failed: ").count { line in
            addresses.contains { line.contains($0) }
        }
    }

    // MARK: Links

    private func addLinks(_ view: inout HostView) async throws {
        let peers = try await get("peers", as: [Peer].self, of: view.host)
        for peer in peers {
            for other in try await others(peer.device, view.host) {
                view.peers.append(other)
                guard peer.state == .connected, !peer.conversations.isEmpty else { continue }
                view.links.append(other)
            }
        }
    }

    /// The running hosts with the device `device`, except `host`.
    private func others(_ device: String, _ host: HostID) async throws -> [HostID] {
        var found: [HostID] = []
        for other in plan.hostIDs where other != host {
            guard await hosts[other.index].device?.text == device,
                await hosts[other.index].isRunning
            else { continue }
            found.append(other)
        }
        return found
    }

    private func addClosures(_ view: inout HostView) async throws {
        // A node with two links to a peer closes one of them, which is no failure.
        let lines = try await hosts[view.host.index].logLines("link closed")
            .filter { !$0.contains("said duplicate") }
        for other in plan.hostIDs where other != view.host {
            guard let name = await hosts[other.index].device?.shortText else { continue }
            view.closures[other] = lines.count { $0.contains(name) }
        }
    }

    // MARK: Sessions

    private func sessions(
        _ host: HostID,
        _ question: PlanQuestion
    ) async throws -> [SessionSight] {
        let name = plan.conversations[question.conversation].name
        guard plan.conversations[question.conversation].role(of: host) != nil else { return [] }
        guard plan.conversations[question.conversation].role(of: host) != .relay else { return [] }
        var messages: [Message] = []
        try await TranscriptPages(of: name).all(
            { try await self.get($0, as: TranscriptPage.self, of: host) },
            { messages += $0.compactMap(\.message) }
        )
        var losers: [String: [String]] = [:]
        if messages.contains(where: \.isConflict) {
            let path = path(question.conversation) + "/conflicts?limit=200"
            for conflict in try await get(path, as: [Conflict].self, of: host) {
                losers["\(conflict.session)"] = conflict.others.map(\.id.description).sorted()
            }
        }
        var sights: [SessionSight] = []
        for message in messages {
            let session = message.session.description
            var sight = SessionSight(
                session: sessionNames[session] ?? session,
                id: message.id.description,
                revision: message.revision,
                url: message.content?.url ?? "",
                others: losers[session] ?? []
            )
            if let picture = message.picture, question.parts.contains(.pictures) {
                sight.picture = picture.isHere ? try await self.picture(message, host) : .missing
            }
            sights.append(sight)
        }
        return sights.sorted { $0.session < $1.session }
    }

    /// Compares the bytes of a picture, once for each host and message.
    private func picture(
        _ message: Message,
        _ host: HostID
    ) async throws -> SessionSight.Picture {
        let key = "\(host.index)/\(message.id)"
        if let known = pictures[key] { return known }
        let client = hosts[host.index].client
        let path = "sessions/\(message.session)/messages/\(message.id)/picture"
        let bytes = try await LabWait.answer { try await client.bytes(path) }
        let expected = PlanPicture.bytes(bytes.count, url: message.content?.url ?? "")
        let picture = bytes == Data(expected) ? SessionSight.Picture.whole : .wrong
        pictures[key] = picture
        return picture
    }
}
