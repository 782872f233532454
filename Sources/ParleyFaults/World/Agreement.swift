package import ParleyCore

/// The heads of a session as they can be compared between nodes.
package struct SessionHeads: Equatable, Sendable {
    package let tag: SessionTag
    /// The heads, the shown one first; compared as a whole, as two may have one dot.
    package let heads: [Head]
}

/// The nodes that have to agree on a conversation, and the heads of each.
///
/// All results are in an order that does not depend on hashing.
package struct Agreement {
    private let nodes: [SimulatedNode]
    private let network: SimulatedNetwork

    /// The agreement of nodes of a network at the present moment.
    package init(_ nodes: [SimulatedNode], _ network: SimulatedNetwork) {
        self.nodes = nodes
        self.network = network
    }

    /// All conversations of running nodes, in the order of their IDs.
    package var conversationIDs: [ConversationID] {
        var ids: [ConversationID] = []
        for node in nodes {
            for conversation in node.machine?.conversations.all ?? []
            where !ids.contains(conversation.record.id) {
                ids.append(conversation.record.id)
            }
        }
        return ids.sorted()
    }

    /// The running members of a conversation; who was thrown out is none.
    package func members(of conversation: ConversationID) -> [Int] {
        nodes.indices.filter { node in
            nodes[node].machine?.conversations.contains {
                $0.record.id == conversation && $0.standing != .out
            } ?? false
        }
    }

    /// Whether all nodes with a conversation know the same line of generations; copies of a device
    /// may not meet.
    private func haveOneLine(_ conversation: ConversationID) -> Bool {
        let known = nodes.compactMap { node in
            node.machine?.conversations.first { $0.record.id == conversation }?.generations.line
        }
        return hasCopies || Set(known).count <= 1
    }

    /// The members of a conversation, in groups of those that must come to agree: all, unless
    /// copies of a device run.
    ///
    /// A node has at most one link to a device, and so perhaps none to some copies. Then a group
    /// consists of the nodes that are connected by links, directly or through others.
    package func groups(of conversation: ConversationID) -> [[Int]] {
        var rest = members(of: conversation)
        guard hasCopies else { return rest.isEmpty ? [] : [rest] }
        var groups: [[Int]] = []
        while let first = rest.first {
            var group = [first]
            var next = 0
            while next < group.count {
                let peers = peers(of: group[next], in: conversation)
                group += rest.filter { peers.contains($0) && !group.contains($0) }
                next += 1
            }
            rest.removeAll { group.contains($0) }
            groups.append(group)
        }
        return groups
    }

    /// Whether several processes of one device run.
    package var hasCopies: Bool {
        let devices = nodes.filter(\.isRunning).map(\.device)
        return Set(devices).count < devices.count
    }

    /// The nodes to which a node has a link that replicates a conversation.
    private func peers(of node: Int, in conversation: ConversationID) -> Set<Int> {
        guard let machine = nodes[node].machine,
            let state = machine.conversations.first(where: { $0.record.id == conversation })
        else { return [] }
        let links = machine.links.filter { link in
            link.replications.contains { $0.conversation == state.number }
        }
        return Set(
            links.flatMap { link in
                let wire = nodes[node].sockets.wires[link.id].flatMap { network.wires[$0] }
                return wire?.ends.map(\.node).filter { $0 != node } ?? []
            }
        )
    }

    /// The heads of every session of a conversation at a running node, by tag.
    package func heads(of conversation: ConversationID, at node: Int) -> [SessionHeads] {
        guard
            let state = nodes[node].machine?.conversations.first(where: {
                $0.record.id == conversation
            })
        else { return [] }
        return state.sessions.filter { !$0.register.heads.isEmpty }
            .map { SessionHeads(tag: $0.tag, heads: Array($0.register.heads)) }
            .sorted { $0.tag < $1.tag }
    }

    /// Whether every running node has the pictures of its heads undamaged, as far as any member has
    /// them.
    package var arePicturesHere: Bool { picturesLacking.allSatisfy { !$0.isSomewhere } }

    /// The pictures of heads that a node lacks, and whether another member has them.
    package var picturesLacking: [(node: Int, blob: BlobID, isSomewhere: Bool)] {
        var lacking: [(node: Int, blob: BlobID, isSomewhere: Bool)] = []
        for node in nodes.indices {
            for conversation in nodes[node].machine?.conversations.all ?? [] {
                let group = groups(of: conversation.record.id).first { $0.contains(node) } ?? []
                for blob in conversation.sessions.lazy.flatMap(\.heads).flatMap(\.blobs)
                where !nodes[node].disk.isWhole(blob.id) {
                    let isSomewhere = group.contains { nodes[$0].disk.isWhole(blob.id) }
                    lacking.append((node, blob.id, isSomewhere))
                }
            }
        }
        return lacking
    }

    /// Whether the members of every group hold equal heads.
    package var isConverged: Bool {
        conversationIDs.allSatisfy { conversation in
            haveOneLine(conversation)
                && groups(of: conversation).allSatisfy { group in
                    let expected = heads(of: conversation, at: group[0])
                    return group.dropFirst().allSatisfy {
                        heads(of: conversation, at: $0) == expected
                    }
                }
        }
    }
}

extension World {
    package var agreement: Agreement { Agreement(nodes, network) }

    /// Whether all commits are done.
    package var isOnDisk: Bool { nodes.allSatisfy { $0.commits.waiting.isEmpty } }
}
