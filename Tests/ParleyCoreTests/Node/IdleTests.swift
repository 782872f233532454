import ParleyCore
import ParleyFaults
import Testing

/// The frames of an idle world, and the judgement of silence.
@Suite struct IdleTests {
    private let table = SimulatedConversation(1)

    @Test func idleMeshSaysOnlyPingsAndAudits() {
        let world = World(nodes: 4)
        world.join(table, [0, 1, 2, 3])
        world.run(.milliseconds(500))
        for number in 0..<10 { world.send("s\(number)", "x", by: number % 4, in: table) }
        world.settle()
        let quiet = world.trace.quietCount
        let all = world.trace.frameCount
        let pings = world.trace.count(.ping)
        world.run(.seconds(120))
        #expect(world.trace.quietCount == quiet)
        #expect(world.trace.count(.audit) > 0)
        // Six links, a ping every five seconds at most from each side.
        #expect(world.trace.count(.ping) - pings <= 6 * 2 * 24)
        #expect(world.trace.frameCount - all < 1_000)
        for node in 0..<4 {
            let divergences = world.nodes[node].person.deliveries.count {
                if case .divergence = $0 { true } else { false }
            }
            #expect(divergences == 0)
            #expect(
                world.nodes[node].person.closeCauses.allSatisfy {
                    $0 == .said(.duplicate, "")
                        || $0 == .heard(.duplicate, "")
                }
            )
        }
        world.expectSound()
    }

    @Test func silentPeerIsSuspectedAndEndsAfterFifteenSeconds() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.seconds(1))
        world.cut(0, 1)
        world.send("s", "into the void", by: 0, in: table)
        world.run(.milliseconds(900))
        #expect(suspicions(at: 0, in: world) == 0)
        world.run(.milliseconds(200))
        #expect(suspicions(at: 0, in: world) == 1)
        #expect(world.nodes[0].machine?.links.count == 1)
        world.run(.seconds(16))
        #expect(world.nodes[0].machine?.links.isEmpty == true)
        #expect(world.nodes[1].machine?.links.isEmpty == true)
        world.heal(keepsBytes: false)
        world.run(.seconds(3))
        #expect(world.text("s", in: table, at: 1) == "into the void")
        world.expectSound()
    }

    /// A link that was cut silently for ten seconds works again soon after.
    @Test(arguments: [true, false])
    func cutLinkWorksAgain(keepsBytes: Bool) {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.seconds(12))
        world.cut(0, 1)
        world.run(.seconds(1))
        for number in 0..<20 { world.send("s", "\(number)", by: 0, in: table) }
        world.run(.seconds(9))
        for number in 20..<40 { world.send("s", "\(number)", by: 0, in: table) }
        world.heal(keepsBytes: keepsBytes)
        world.run(.seconds(2))
        #expect(world.texts("s", in: table) == ["39", "39"])
        world.settle()
        #expect(world.nodes.allSatisfy { $0.machine?.links.count == 1 })
        world.expectSound()
    }

    /// Regression: what needs no answer made a peer suspect that was well.
    @Test func answeringPeerIsNotSuspected() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let author = SimulatedAuthor(crypto: puppet.peer, table: table)
        puppet.send(author.originFrame)
        let envelope = author.envelope(author.header("s", 1), session: "s", text: "x")
        puppet.send(author.frame(envelope, position: 1))
        puppet.send(
            .want(
                WantList(
                    conversation: 0,
                    entries: [
                        HaveEntry(
                            position: 0,
                            tag: author.tag("s"),
                            dot: author.dot(1),
                            revision: 1,
                            digestPrefix: 0
                        )
                    ]
                )
            )
        )
        for _ in 0..<10 {
            puppet.pass(.milliseconds(300))
            let pings = puppet.frames.compactMap { frame in
                if case .ping(let nonce) = frame { nonce } else { nil }
            }
            puppet.forgetFrames()
            for nonce in pings { puppet.send(.pong(nonce)) }
        }
        let suspicions = puppet.deliveries.count { delivery in
            if case .link(let notice) = delivery, notice.change == .suspected {
                true
            } else {
                false
            }
        }
        #expect(suspicions == 0)
    }

    private func suspicions(at node: Int, in world: World) -> Int {
        world.nodes[node].person.deliveries.count { delivery in
            if case .link(let notice) = delivery, notice.change == .suspected {
                true
            } else {
                false
            }
        }
    }
}
