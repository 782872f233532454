/// The devices in a list of peers, where a device with several addresses has one row.
package struct ListedDevices {
    private var names: [UInt64: Set<String?>] = [:]

    /// An empty list.
    package init() {}

    /// Adds a row; `hint` is the start of the device's ID, if known.
    ///
    /// Anybody can announce the ID of another device, so rows with different names are kept apart.
    ///
    /// - Returns: whether the row is new.
    package mutating func add(_ hint: UInt64?, name: String?) -> Bool {
        guard let hint else { return true }
        if name == nil, names[hint] != nil { return false }
        return names[hint, default: []].insert(name).inserted
    }
}
