/// One of the two byte streams of a connection, by the name of where it goes.
package enum StreamDirection: String, CaseIterable, Sendable {
    /// From the client to the server.
    case upstream
    /// From the server to the client.
    case downstream

    package var opposite: StreamDirection {
        switch self {
        case .upstream: .downstream
        case .downstream: .upstream
        }
    }
}
