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
        let (device, name) = try knownDevice(typed)
        var lists = deviceLists
        if removing {
            lists.remove(device, from: list)
        } else {
            try lists.add(ListedDevice(device: device.text, name: name, list: list))
        }
        deviceLists = lists
        deviceListsNumber += 1
        log.listed(lists.devices)
        feed(.gated(lists.gate))
        try await deviceListWriter.write(lists, deviceListsNumber)
        return lists.devices
    }

    /// The only device that a text means: an ID, or the name or ID prefix of a known device.
    private func knownDevice(_ typed: String) throws(NodeError) -> (DeviceID, String?) {
        let typed = TypedDevice(typed)
        var known: [DeviceID: String?] = [:]
        let listed = deviceLists.devices.map { ($0.device, $0.name) }
        for (id, name) in listed + (peers() + nearby()).map({ ($0.device, $0.name) }) {
            guard let device = try? DeviceID(parsing: id), device != key.id else { continue }
            let before = known[device] ?? nil
            known.updateValue(name ?? before, forKey: device)
        }
        if let device = try? DeviceID(parsing: typed.text), device != key.id {
            return (device, known[device] ?? nil)
        }
        let meant = known.keys.filter { typed.means(known[$0] ?? nil, $0.text) }
        let device = try typed.only(
            of: Dictionary(uniqueKeysWithValues: meant.map { ($0, $0.text) })
        )
        return (device, known[device] ?? nil)
    }
}
