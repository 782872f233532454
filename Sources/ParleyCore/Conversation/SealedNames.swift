/// Names of devices, which the devices sealed in messages of one conversation.
///
/// A device behind a relay never says hello here, but its messages carry its name. The name in a
/// later message replaces that of an earlier message.
package struct SealedNames: Sendable {
    private var names: [DeviceID: (place: UInt64, name: String)] = [:]

    package init() {}

    package var count: Int { names.count }

    package subscript(device: DeviceID) -> String? { names[device]?.name }

    /// A shown message of `device`, at a place in the transcript, has a name.
    ///
    /// At most `countMax` devices have a name, and none is evicted.
    package mutating func learn(
        _ name: String,
        of device: DeviceID,
        at place: UInt64,
        countMax: Int
    ) {
        if let known = names[device] {
            guard known.place <= place else { return }
        } else {
            guard names.count < countMax else { return }
        }
        names[device] = (place, name)
    }
}
