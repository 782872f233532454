import ParleyCore
import ParleyFaults

/// What a peer sends on a link, and what happens meanwhile, against a whole machine.
///
/// The first byte chooses the state of the link. Then each step is a byte for its kind, and what
/// belongs to it.
struct LinksTarget: FuzzTarget {
    /// The states in which a link is found.
    private let nodes: [FuzzedNode]
    let seeds: [[UInt8]]

    private static let stepsMax = 64

    init() {
        var fresh = FuzzedNode(seed: 1)
        fresh.open(to: 2, dialled: false)
        var member = FuzzedNode(seed: 1)
        var peer = FuzzedNode(seed: 2)
        for number in 1...4 { member.author(UInt64(number), session: UInt64(number % 3)) }
        let heard = Self.meet(&member, &peer)
        var relay = FuzzedNode(seed: 3, role: .relay)
        var writer = FuzzedNode(seed: 2)
        for number in 1...4 { writer.author(UInt64(number), session: UInt64(number)) }
        let told = Self.meet(&relay, &writer)
        nodes = [fresh, member, relay]
        seeds = [heard, told].enumerated().flatMap { state, said in
            [[0] + Self.written(said), [UInt8(state + 1)] + Self.written(said)]
        }
    }

    func run(_ bytes: [UInt8]) {
        var input = InputReader(bytes)
        var node = nodes[Int(input.byte()) % nodes.count]
        for _ in 0..<Self.stepsMax where !input.isAtEnd { Self.step(&node, &input) }
        node.commit()
        node.wait(.seconds(2))
    }

    private static func step(_ node: inout FuzzedNode, _ input: inout InputReader) {
        let link = FuzzedNode.link
        switch input.byte() % 16 {
        case 0..<8:
            let type = input.byte()
            let body = input.run()
            var frame: [UInt8] = []
            frame.appendBigEndian(UInt32(body.count) << 8 | UInt32(type))
            node.handle(.received(link, Slice(frame + body)))
        case 8: node.handle(.received(link, Slice(input.run())))
        case 9: node.commit()
        case 10: node.wait(.milliseconds(Int64(input.byte()) * 20))
        case 11: node.handle(.drained(link))
        case 12: node.author(input.number(bytes: 1) + 100, session: input.number(bytes: 1) % 4)
        case 13: node.handle(.loaded(row: Int64(input.byte() % 8), heads: Few()))
        case 14: node.handle(.storeBlocked(input.byte() % 2 == 1))
        default: node.handle(.networkChanged)
        }
    }

    /// Lets two nodes talk until they are done, and returns the frames that the second one said.
    private static func meet(_ node: inout FuzzedNode, _ peer: inout FuzzedNode) -> [RawFrame] {
        var parser = FrameParser()
        var frames: [RawFrame] = []
        node.open(to: 2, dialled: false)
        peer.open(to: 1, dialled: true)
        for _ in 0..<40 {
            let told = peer.takeSent()
            let answered = node.takeSent()
            for send in told {
                parser.append(Slice(send.bytes))
                while let frame = (try? parser.nextWhole(frameBytesMax: 1 << 20)) ?? nil {
                    frames.append(frame)
                }
                node.handle(.received(FuzzedNode.link, Slice(send.bytes)))
            }
            for send in answered {
                peer.handle(.received(FuzzedNode.link, Slice(send.bytes)))
            }
            node.commit()
            peer.commit()
            if told.isEmpty, answered.isEmpty {
                node.wait(.milliseconds(50))
                peer.wait(.milliseconds(50))
            }
        }
        promise(
            node.closes.isEmpty && peer.closes.isEmpty,
            "honest nodes part: \(node.closes) \(peer.closes)"
        )
        return frames
    }

    /// Frames as the steps of an input.
    private static func written(_ frames: [RawFrame]) -> [UInt8] {
        frames.prefix(stepsMax).flatMap { [0, $0.type] + InputReader.written($0.body.bytes) + [9] }
    }
}
