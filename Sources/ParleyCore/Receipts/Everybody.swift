/// Who is to have the messages of a node, and whose receipts count.
enum Everybody {
    /// Whether a receipt of a device counts; its seal has shown that the device can read.
    static func includes(_ device: DeviceID, in conversation: Conversation) -> Bool {
        device != conversation.device
    }

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
        return devices.filter { includes($0, in: conversation) }
    }
}
