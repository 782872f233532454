import ParleyCore
import ParleyKeys

/// The devices that people block or allow.
extension NodeShell {
    /// Puts a device on a list, or takes it off; links that are not allowed any more end at once.
    ///
    /// - Returns: the lists, once they are on disk.
    func list(
        _ typed: String,
        _ list: ListedDevice.List,
        removing: Bool
    ) async throws(NodeError) -> [ListedDevice] {
        let others = (peers() + nearby()).map { ($0.device, $0.name) }
        let (device, name) = try deviceLists.device(typed, or: others, except: key.id)
        var lists = deviceLists
        if removing { lists.remove(device, from: list) }
        if !removing { try lists.add(ListedDevice(device: device.text, name: name, list: list)) }
        deviceLists = lists
        news.log.listed(lists.devices)
        feed(.gated(lists.gate))
        files.gated()
        try await deviceListWriter.write(lists)
        return lists.devices
    }
}
