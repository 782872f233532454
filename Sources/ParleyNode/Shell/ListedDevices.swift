/// The devices that a list has already, so that each has one row at however many addresses.
package struct ListedDevices {
    private var names: [UInt64: Set<String?>] = [:]

    /// An empty list.
    package init() {}

    /// Adds a row; `hint` is what it says of the ID of its device, if anything.
    ///
    /// Anybody can announce the ID of another device, so a row with another name is another one.
    ///
    /// - Returns: whether the row is new.
    package mutating func add(_ hint: UInt64?, name: String?) -> Bool {
        guard let hint else { return true }
        if name == nil, names[hint] != nil { return false }
        return names[hint, default: []].insert(name).inserted
    }
}
