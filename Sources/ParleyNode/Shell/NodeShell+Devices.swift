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
        let text = GivenName.normal(typed)
        var known: [DeviceID: String?] = [:]
        let listed = deviceLists.devices.map { ($0.device, $0.name) }
        for (id, name) in listed + (peers() + nearby()).map({ ($0.device, $0.name) }) {
            guard let device = try? DeviceID(parsing: id), device != key.id else { continue }
            let before = known[device] ?? nil
            known.updateValue(name ?? before, forKey: device)
        }
        if let device = try? DeviceID(parsing: text), device != key.id {
            return (device, known[device] ?? nil)
        }
        let plain = Self.plain(text)
        let meant = known.filter { device, name in
            name?.lowercased() == text.lowercased()
                || plain.utf8.count >= 4 && Self.plain(device.text).hasPrefix(plain)
        }
        guard let first = meant.first else { throw .unknownDevice(text) }
        guard meant.count == 1 else {
            throw .ambiguousDevice(text, devices: meant.keys.map(\.text).sorted())
        }
        return (first.key, first.value)
    }
}
