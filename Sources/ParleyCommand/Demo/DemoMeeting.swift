import Foundation
import ParleyAPI
import ParleyNode

/// The first part of the demo: the nodes get a common conversation and find each other.
struct DemoMeeting: Sendable {
    let alice: DemoNode
    let bob: DemoNode

    private static let discoveryPatience = Duration.seconds(6)
    private static let meetingPatience = Duration.seconds(20)

    /// Creates and joins the conversation; returns when the nodes are linked.
    ///
    /// - Throws: a `Problem` if there is no avahi-daemon, or the nodes do not find each other.
    func meet(_ screen: DemoScreen) async throws {
        for node in [alice, bob] { try await waitUntilPublished(node) }
        try await shareConversation(named: "demo")
        screen.say(
            "alice created a conversation and bob joined it; they are looking for each other…"
        )
        let isMet = try await DemoWait.until(Self.meetingPatience) {
            for node in [alice, bob] {
                let peers = try await node.client.get("peers", as: [Peer].self)
                guard peers.contains(where: { $0.state == .connected }) else { return false }
            }
            return true
        }
        guard isMet else {
            throw Problem(
                .demoFailed,
                "The nodes did not find each other within "
                    + "\(Self.meetingPatience.components.seconds) s.",
                hint: "A firewall may block UDP port 5353; check with: avahi-browse -a"
            )
        }
        screen.say("They found each other.")
    }

    /// Lets alice create a conversation and bob join it; the name must need no encoding in a path.
    func shareConversation(named name: String) async throws {
        _ = try await alice.client.post(
            "conversations",
            CreateDocument(name: name),
            as: Conversation.self
        )
        let invite = try await alice.client.post(
            "conversations/\(name)/invites",
            InviteRequest(role: "writer"),
            as: Invite.self
        )
        _ = try await bob.client.post(
            "join",
            JoinDocument(link: invite.link, name: nil),
            as: Conversation.self
        )
    }

    private func waitUntilPublished(_ node: DemoNode) async throws {
        var last = ""
        let end = ContinuousClock.now + Self.discoveryPatience
        while ContinuousClock.now < end {
            let discovery = try await node.status().discovery
            if discovery.name != nil { return }
            last = discovery.detail
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Problem(
            .demoFailed,
            "The nodes cannot announce themselves; \(node.name) reports: \(last).",
            hint: "Start avahi-daemon with: \(DiscoveryRemedy.startDaemon), or run the demo with "
                + "make run as root, which starts a private daemon where there is none."
        )
    }
}

/// Waiting for other processes.
enum DemoWait {
    /// Polls every 20 ms until the answer is true.
    ///
    /// - Returns: false if `patience` is over before.
    static func until(
        _ patience: Duration,
        _ ask: @Sendable () async throws -> Bool
    ) async throws -> Bool {
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            if try await ask() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}
