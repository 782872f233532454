import ParleyCore
import ParleyFaults

/// Commands about disks, and about what a node is started with.
extension ScriptStage {
    mutating func performDisk(_ verb: String, _ words: [String]) throws(ScriptError) -> Bool {
        guard let name = words.first else { return false }
        let node = try node(name)
        switch (verb, words.count) {
        case ("disk", 2): return performDisk(words[1], of: node)
        case ("lose", 2):
            // `lose b chess`: b is started again without a session that its disk has lost.
            guard let tag = world.tag(words[1], in: table) else { return false }
            world.stop(node)
            world.nodes[node].disk.lose(tag)
            world.start(node)
        case ("limit", 3):
            // `limit b sessions 2`: b is started again with capacity for 2 heads of each device.
            guard words[1] == "sessions", let count = Int(words[2]) else { return false }
            var limits = Limits()
            limits.quota.device.heads = count
            world.restart(node, limits)
        case ("versions", 3):
            // `versions b 1 2`: b is started again and speaks the wire versions from 1 to 2.
            guard let low = UInt64(words[1]), let high = UInt64(words[2]), low <= high else {
                return false
            }
            world.stop(node)
            world.nodes[node].wireVersions = low...high
            world.start(node)
        case ("backup", 1): world.strike(.backup(node: node))
        case ("restore", 1): world.strike(.restore(node: node, inPlace: false))
        case ("clone", 1): world.strike(.clone(node: node, inPlace: true))
        default: return false
        }
        return true
    }

    private func performDisk(_ word: String, of node: Int) -> Bool {
        switch word {
        case "stands": world.stopCommitting(node)
        case "goes": world.resumeCommitting(node)
        case "full":
            world.stopCommitting(node)
            world.input(.storeBlocked(true), to: node)
        case "empty":
            // The store reports capacity only after the waiting commits have succeeded.
            world.resumeCommitting(node)
            world.run(.milliseconds(5))
            world.input(.storeBlocked(false), to: node)
        default: return false
        }
        return true
    }
}
