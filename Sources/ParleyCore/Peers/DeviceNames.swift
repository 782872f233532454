/// What members call their devices: the last name that each said on a link on which it proved
/// that it shares a conversation.
///
/// So that people have names while they are away, also after a restart. A name stays until its
/// device says another one, also when the conversation is left; nothing makes room for more, so
/// that nobody can drive out the names of others. Strangers have none here.
package struct DeviceNames: Sendable {
    private var names: [DeviceID: String]
    private let countMax: Int

    /// `recovered` is what the data directory holds.
    package init(recovered: [DeviceID: String], countMax: Int) {
        self.countMax = countMax
        guard recovered.count > countMax else {
            names = recovered
            return
        }
        // A higher limit held when they were written.
        let kept = recovered.sorted { $0.key < $1.key }.prefix(countMax)
        names = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    package var count: Int { names.count }

    package subscript(device: DeviceID) -> String? { names[device] }

    /// A member said its name.
    ///
    /// One with which only an open conversation is shared, and that can be anybody, gets a place in
    /// the first half only.
    /// - Returns: whether the name is to be written, because it is another one than before.
    package mutating func learn(_ name: String, of device: DeviceID, isOpen: Bool) -> Bool {
        guard !name.isEmpty, names[device] != name else { return false }
        guard names[device] != nil || names.count < (isOpen ? countMax / 2 : countMax) else {
            return false
        }
        names[device] = name
        return true
    }
}
