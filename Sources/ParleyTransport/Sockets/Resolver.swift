import Dispatch
import Glibc

/// Resolves host names on a queue of its own, because the system's resolver blocks.
final class Resolver: Sendable {
    private let queue = DispatchQueue(label: "parley.resolver", attributes: .concurrent)

    /// Resolves `name`; `found` is called once, on the resolver's queue.
    func resolve(
        _ name: String,
        port: UInt16,
        found: @escaping @Sendable (Result<[SocketAddress], TransportError>) -> Void
    ) {
        queue.async { found(Self.lookUp(name, port: port)) }
    }

    private static func lookUp(
        _ name: String,
        port: UInt16
    ) -> Result<[SocketAddress], TransportError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(name, nil, &hints, &first)
        guard result == 0 else {
            return .failure(.nameNotFound(name, String(cString: gai_strerror(result))))
        }
        defer { freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = first
        while let entry = next {
            next = entry.pointee.ai_next
            guard let address = address(entry.pointee)?.with(port: port) else { continue }
            if !addresses.contains(address) { addresses.append(address) }
        }
        guard !addresses.isEmpty else {
            return .failure(.nameNotFound(name, "no address that can be used"))
        }
        return .success(addresses)
    }

    private static func address(_ entry: addrinfo) -> SocketAddress? {
        guard let pointer = entry.ai_addr else { return nil }
        var storage = sockaddr_storage()
        let count = min(Int(entry.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: count))
        }
        return SocketAddress(storage)
    }
}
