import Foundation

/// The D-Bus system bus of the environment.
package enum SystemBus {
    package static var isReachable: Bool {
        let address = ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"]
        guard let path = address?.split(separator: "=").last?.split(separator: ",").first else {
            return FileManager.default.fileExists(atPath: "/run/dbus/system_bus_socket")
        }
        return FileManager.default.fileExists(atPath: String(path))
    }
}
