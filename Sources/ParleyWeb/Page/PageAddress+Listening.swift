import Glibc
import NIOCore
import ParleyAPI
import ParleyLoop

extension PageAddress {
    /// A socket at the address; errors name `what` as the subject and `option` in the cure.
    ///
    /// - Throws: `portInUse` or `notListening`.
    func listener(for what: String, option: String) throws(Problem) -> Descriptor {
        do {
            let resolved = try SocketAddress.makeAddressResolvingHost(host, port: port)
            return try Descriptor.listening(on: resolved)
        } catch {
            let code = (error as? IOError)?.errnoCode ?? EADDRNOTAVAIL
            let hint = "End the program that has it, or choose another address: \(option) HOST:PORT"
            guard code == EADDRINUSE else {
                let reason = String(cString: strerror(code))
                throw Problem(
                    .notListening,
                    "\(what) cannot be served at \(self): \(reason).",
                    hint: hint
                )
            }
            throw Problem(.portInUse, "\(what): port \(port) is in use.", hint: hint)
        }
    }
}
