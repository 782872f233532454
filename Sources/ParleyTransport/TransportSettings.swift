/// Times and sizes of a transport; the defaults are the protocol's, tests shorten them.
package struct TransportSettings: Sendable {
    /// From the TCP connection to the end of the TLS handshake.
    package var handshakeTimeout: Duration = .seconds(5)
    /// From the first SYN to the TCP connection.
    package var connectTimeout: Duration = .seconds(1)
    /// What the resolver may take for the names of one dial.
    package var resolveTimeout: Duration = .seconds(5)
    /// How long the next address of a dial waits for the one before.
    package var dialStagger: Duration = .milliseconds(250)
    /// Addresses that one dial tries; the rest is left out.
    package var dialAddresses = 16
    /// How long a closing connection may take to get rid of its last bytes.
    package var closeTimeout: Duration = .seconds(2)
    /// Written bytes that nobody acknowledges for this long end the connection.
    package var userTimeout: Duration = .seconds(15)
    /// Silence before the kernel probes, between its probes, and how many may be lost.
    package var keepalive = Keepalive()
    /// TLS records sent under one key.
    package var recordsPerKey = 1 << 23
    /// Bytes that the kernel may hold unsent per connection, so that what waits there is fresh.
    package var unsentBytes = 256 << 10
    /// Ciphertext that one wake-up reads from one connection.
    package var readBytes = 256 << 10
    /// Plaintext that one turn seals for one connection before others have theirs.
    package var writeBytes = 1 << 20
    /// Connections that one wake-up of a listener accepts.
    package var accepts = 64
    /// Connections that wait in the kernel to be accepted, per listening socket.
    package var backlog: Int32 = 256
    /// Descriptors that connections leave to the rest of the process.
    ///
    /// libdispatch ends the process when it cannot open a file of /proc, and the store needs some.
    package var descriptorsLeft = 16
    /// How long a listener rests when descriptors have run out.
    package var acceptPause: Duration = .milliseconds(250)

    /// The kernel's probing of a silent connection, in seconds and times.
    package struct Keepalive: Sendable {
        package var idle: Int32 = 5
        package var interval: Int32 = 3
        package var count: Int32 = 3

        package init() {}
    }

    package init() {}
}
