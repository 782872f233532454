/// The devices that are to have the messages of a node.
enum Everybody {
    /// All known devices of writers or readers, besides that of the node.
    ///
    /// `proven` have shown by receipts that they can read, and `admissions` say who was let in.
    static func devices(
        of conversation: Conversation,
        proven: Set<DeviceID>,
        admissions: [Admission]
    ) -> Set<DeviceID> {
        var devices = proven
        for origin in conversation.origins.values where origin.isStored {
            devices.insert(origin.device)
        }
        for admission in admissions where admission.role != .relay {
            devices.insert(admission.device)
        }
        devices.remove(conversation.device)
        return devices
    }
}
