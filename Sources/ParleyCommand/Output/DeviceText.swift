/// The IDs of devices in the output of commands.
package enum DeviceText {
    /// The short ID as in the log: the first 8 characters without the hyphen.
    package static func short(_ device: String) -> String {
        String(device.filter { $0 != "-" }.prefix(8))
    }
}
