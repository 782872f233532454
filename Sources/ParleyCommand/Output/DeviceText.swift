/// The IDs of devices in the output of commands.
package enum DeviceText {
    /// The short form of an ID, as the log has it: its first 8 characters without the hyphen.
    package static func short(_ device: String) -> String {
        String(device.filter { $0 != "-" }.prefix(8))
    }
}
