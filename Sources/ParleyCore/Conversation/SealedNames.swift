/// The names of devices that their authors sealed in messages of one conversation.
///
/// A device that is reached only across a relay never says hello here, so its messages tell its
/// name. A later message of a device replaces the name that an earlier one told.
package struct SealedNames: Sendable {
    private var names: [DeviceID: (place: UInt64, name: String)] = [:]

    package init() {}

    package var count: Int { names.count }

    package subscript(device: DeviceID) -> String? { names[device]?.name }

    /// A shown message of `device`, which has this place in the transcript, tells a name.
    ///
    /// No more than `countMax` devices have one, and none is evicted.
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
