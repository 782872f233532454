/// Who is to have the messages of this node.
extension Conversation {
    /// Whether a receipt of a device counts; its seal has shown that the device can read.
    func countsReceipts(of device: DeviceID) -> Bool { device != self.device }

    /// All devices that are known as those of writers or readers, besides this one.
    ///
    /// `proven` have shown by receipts that they can read, and `admissions` say who was let in.
    package func everybody(
        proven: Set<DeviceID>,
        admissions: [Admission]
    ) -> Set<DeviceID> {
        var devices = proven.filter(countsReceipts(of:))
        for origin in origins.values where origin.isStored { devices.insert(origin.device) }
        for admission in admissions where admission.role != .relay {
            devices.insert(admission.device)
        }
        devices.remove(device)
        return devices
    }
}
