/// The configuration of a node.
package struct NodeConfiguration: Sendable {
    /// The name that people gave the device, at most 64 bytes.
    package var deviceName: String
    /// The person to whom the device belongs at the start.
    package var person: Person?
    /// Name and version of the software, at most 64 bytes.
    package var software: String
    package var limits: Limits
    /// The devices to which the node may have links at its start.
    package var gate = DeviceGate()
    /// The announced wire versions; others than `spoken` only in the simulator and in tests.
    package var wireVersions = Self.spoken
    /// Whether an address that a peer told may be dialled; the second argument is the address of
    /// the peer's link.
    package var mayDial: @Sendable (_ told: String, _ link: String) -> Bool = { _, _ in true }

    /// The wire versions that this code speaks.
    package static let spoken: ClosedRange<UInt64> = 2...2

    package init(deviceName: String, software: String, limits: Limits = Limits()) {
        self.deviceName = deviceName
        self.software = software
        self.limits = limits
    }

    /// The hello that a process of this node sends first on each link.
    func hello(of processNonce: UInt64) -> Hello {
        Hello(
            wireVersions: wireVersions,
            software: software,
            deviceName: deviceName,
            processNonce: processNonce,
            features: Hello.pairing | Hello.persons
        )
    }
}
