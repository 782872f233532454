import ParleyCore
import ParleyDiscovery
import ParleyKeys
import ParleyNode

extension NodeMachine {
    /// The machine of a device that has met nobody.
    init(_ key: DeviceKey) {
        self.init(
            configuration: NodeConfiguration(deviceName: "one", software: "test"),
            crypto: DeviceCryptography(key),
            random: SystemRandomNumberGenerator(),
            recovery: Recovery()
        )
        _ = start(at: .start)
    }
}

extension DiscoveredService {
    /// A service as a node announces it on one interface.
    init(
        _ shortID: String,
        _ deviceName: String = "two",
        instance: String = "two",
        index: Int32 = 1,
        address: [UInt8] = [192, 0, 2, 1],
        port: UInt16 = 9
    ) {
        self.init(
            sighting: Sighting(
                instanceName: instance,
                interfaceIndex: index,
                interfaceName: "eth0",
                isIPv6: address.count > 4
            ),
            shortID: shortID,
            deviceName: deviceName,
            version: 1,
            address: address,
            port: port
        )
    }
}
