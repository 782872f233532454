import Glibc

/// An address of this machine, or an interface without an address.
package struct LocalAddress: Hashable, Sendable {
    /// The name of the interface, such as `eth0`.
    package let interfaceName: String
    package let interfaceIndex: UInt32
    /// The address with port 0; nil stands for the interface itself.
    package let address: SocketAddress?
    /// Whether the interface is up and has a carrier.
    package let isRunning: Bool

    /// All addresses of this machine, in the kernel's order; empty if the system call fails.
    package static func all() -> [LocalAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [LocalAddress] = []
        var next = first
        while let entry = next {
            found.append(LocalAddress(entry.pointee))
            next = entry.pointee.ifa_next
        }
        return found
    }

    /// The index of the interface that has 127.0.0.1, or 0.
    package static var loopback: UInt32 { interface(of: .v4(0x7f00_0001)) }

    /// Whether an address belongs to this machine.
    package static func isHere(_ ip: IPAddress) -> Bool { ip.isLoopback || interface(of: ip) != 0 }

    /// The index of the interface that has the address `ip`, or 0.
    static func interface(of ip: IPAddress) -> UInt32 {
        all().first { $0.address?.ip == ip }?.interfaceIndex ?? 0
    }

    private init(_ entry: ifaddrs) {
        interfaceName = String(cString: entry.ifa_name)
        interfaceIndex = if_nametoindex(entry.ifa_name)
        let running = UInt32(IFF_UP) | UInt32(IFF_RUNNING)
        isRunning = entry.ifa_flags & running == running
        address = entry.ifa_addr.flatMap {
            Self.address($0, interface: if_nametoindex(entry.ifa_name))
        }
    }

    private static func address(
        _ pointer: UnsafeMutablePointer<sockaddr>,
        interface: UInt32
    ) -> SocketAddress? {
        let family = Int32(pointer.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let size =
            family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: size))
        }
        return SocketAddress(storage, interface: interface)
    }
}
