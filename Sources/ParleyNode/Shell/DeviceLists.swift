import Foundation
package import ParleyCore
import ParleyKeys

/// The devices that people have blocked or allowed, kept in the file `devices.json`.
package struct DeviceLists: Sendable {
    package private(set) var devices: [ListedDevice] = []
    /// The number of changes since the lists were read.
    private(set) var changes = 0

    /// The devices that can be listed.
    static let countMax = 1_024
    private static let bytesMax = 1 << 20

    /// Empty lists, for a node without a file.
    package init() {}

    /// Reads the lists.
    ///
    /// - Throws: `dataDirectoryUnusable` if the file has other content: without the lists, a node
    ///   would have links to blocked devices.
    init(keptIn file: KeptFile) throws(NodeError) {
        do {
            guard let bytes = try file.read(atMost: Self.bytesMax) else { return }
            devices = try JSONDecoder().decode([ListedDevice].self, from: Data(bytes))
            guard devices.allSatisfy({ Self.id(of: $0) != nil }) else {
                throw KeptFile.Failure(path: file.path, code: EBADMSG)
            }
        } catch {
            let failure = error as? KeptFile.Failure
            let isUnread = failure.map { ![EFBIG, EBADMSG].contains($0.code) } ?? false
            throw .dataDirectoryUnusable(
                path: file.path,
                reason: isUnread ? "\(error)" : "\(file.path) is not a list of devices.",
                hint: "Restore it from a backup, or move it away: then no device is blocked."
            )
        }
    }

    /// The links that these lists allow.
    package var gate: DeviceGate {
        DeviceGate(blocked: ids(on: .blocked), allowed: ids(on: .allowed))
    }

    /// Puts a device on a list, and takes it off the other list.
    ///
    /// - Throws: `badSetting` if the lists are full, or if the only allowed device is to be
    ///   blocked: then all others would be allowed.
    package mutating func add(_ device: ListedDevice) throws(NodeError) {
        var changed = devices.filter { $0.device != device.device }
        let allowed = devices.filter { $0.list == .allowed }
        guard device.list == .allowed || allowed.map(\.device) != [device.device] else {
            throw .badSetting(
                "\(device.name ?? device.device) is the only device that is allowed, and without "
                    + "it all others would be. Allow another one first, or take this one from the "
                    + "list with parley allow --remove."
            )
        }
        guard changed.count < Self.countMax else {
            throw .badSetting("At most \(Self.countMax) devices can be blocked and allowed.")
        }
        changed.append(device)
        devices = changed
        changes += 1
    }

    /// Takes a device from a list.
    package mutating func remove(_ device: DeviceID, from list: ListedDevice.List) {
        devices.removeAll { $0.device == device.text && $0.list == list }
        changes += 1
    }

    /// The only device that a text means, and its name, if that is known.
    ///
    /// The text is an ID, or the name or ID prefix of a listed device or of one of `others`. Throws
    /// `unknownDevice` or `ambiguousDevice`.
    package func device(
        _ typed: String,
        or others: [(id: String, name: String?)],
        except own: DeviceID
    ) throws(NodeError) -> (DeviceID, String?) {
        let typed = TypedDevice(typed)
        var known: [DeviceID: String?] = [:]
        for (id, name) in devices.map({ ($0.device, $0.name) }) + others {
            guard let device = try? DeviceID(parsing: id), device != own else { continue }
            let before = known[device] ?? nil
            known.updateValue(name ?? before, forKey: device)
        }
        if let device = try? DeviceID(parsing: typed.text), device != own {
            return (device, known[device] ?? nil)
        }
        let meant = known.keys.filter { typed.means(known[$0] ?? nil, $0.text) }
        let texts = meant.map { ($0, $0.text) }
        let device = try typed.only(of: Dictionary(uniqueKeysWithValues: texts))
        return (device, known[device] ?? nil)
    }

    private func ids(on list: ListedDevice.List) -> Set<DeviceID> {
        Set(devices.filter { $0.list == list }.compactMap(Self.id))
    }

    private static func id(of device: ListedDevice) -> DeviceID? {
        try? DeviceID(parsing: device.device)
    }
}

/// Writes the lists in order, off the node's queue.
actor DeviceListWriter {
    private let file: KeptFile?
    private var written = 0

    init(_ file: KeptFile?) {
        self.file = file
    }

    /// Returns when these lists, or lists with more changes, are on disk.
    func write(_ lists: DeviceLists) throws(NodeError) {
        guard let file, lists.changes > written else { return }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            try file.replace(with: Array(try encoder.encode(lists.devices)) + [0x0A])
            written = lists.changes
        } catch {
            throw .storeFailed(
                "The list of devices is not on disk: \(error). It holds until the node ends; give "
                    + "the command again to have it written."
            )
        }
    }
}
