/// The names of members' devices, each learned on a link with proof of a shared conversation.
///
/// People thus have names while they are away, and after a restart. A name stays until its device
/// gives another, even if the conversation is left. No name is evicted, so that nobody can drive
/// out the names of others. Names of strangers are not kept.
package struct DeviceNames: Sendable {
    private var names: [DeviceID: String]
    private let countMax: Int

    /// The names in the data directory, at most `countMax`.
    package init(recovered: [DeviceID: String], countMax: Int) {
        self.countMax = countMax
        guard recovered.count > countMax else {
            names = recovered
            return
        }
        // The names were written under a higher limit.
        let kept = recovered.sorted { $0.key < $1.key }.prefix(countMax)
        names = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    package var count: Int { names.count }

    package subscript(device: DeviceID) -> String? { names[device] }

    /// A member gave its name.
    ///
    /// A member that shares only open conversations can be anybody: such a name is added only while
    /// less than half of the capacity is used.
    ///
    /// - Returns: whether the name is new and to be written.
    package mutating func learn(_ name: String, of device: DeviceID, isOpen: Bool) -> Bool {
        guard !name.isEmpty, names[device] != name else { return false }
        guard names[device] != nil || names.count < (isOpen ? countMax / 2 : countMax) else {
            return false
        }
        names[device] = name
        return true
    }
}
