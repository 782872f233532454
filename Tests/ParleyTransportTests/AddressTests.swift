import ParleyCore
import ParleyTransport
import Testing

struct AddressTests {
    @Test(arguments: [
        "127.0.0.1:27275", "0.0.0.0:0", "[::1]:1", "[2001:db8::2:1]:65535", "[fe80::1%lo]:27275",
        "169.254.7.8%lo:9", "relay.example:27275", "raspberrypi:1", "my_host-2.local:80",
    ])
    func whatIsReadIsWrittenTheSame(text: String) throws {
        #expect(try Endpoint(parsing: text).description == text)
    }

    struct Refusal: Sendable {
        let text: String
        let error: AddressError

        init(_ text: String, _ error: AddressError) {
            self.text = text
            self.error = error
        }
    }

    @Test(arguments: [
        Refusal("", .malformed("")),
        Refusal("127.0.0.1", .malformed("127.0.0.1")),
        Refusal(":1", .malformed(":1")),
        Refusal("::1:1", .malformed("::1:1")),
        Refusal("[::1:1", .malformed("[::1:1")),
        Refusal("[127.0.0.1]:1", .malformed("[127.0.0.1]:1")),
        Refusal("[nonsense:]:1", .malformed("[nonsense:]:1")),
        Refusal("127.0.0.256:1", .malformed("127.0.0.256:1")),
        Refusal("a b:1", .malformed("a b:1")),
        Refusal("[host]:1", .malformed("[host]:1")),
        Refusal("fe80::1%lo:1", .malformed("fe80::1%lo:1")),
        Refusal("host:", .badPort("")),
        Refusal("host:65536", .badPort("65536")),
        Refusal("host:-1", .badPort("-1")),
        Refusal("host:+1", .badPort("+1")),
        Refusal("[fe80::1]:1", .missingInterface),
        Refusal("169.254.1.1:1", .missingInterface),
        Refusal("[fe80::1%nowhere]:1", .noSuchInterface("nowhere")),
        Refusal("[fe80::1%]:1", .noSuchInterface("")),
    ])
    func whatIsNotAnAddressIsRefused(_ refusal: Refusal) {
        #expect(throws: refusal.error) { try Endpoint(parsing: refusal.text) }
    }

    @Test func anInterfaceMattersOnlyToLinkLocalAddresses() throws {
        let ip = try #require(IPAddress(parsing: "2001:db8::1"))
        let first = try SocketAddress(ip: ip, port: 1, interface: 3)
        #expect(try first == SocketAddress(ip: ip, port: 1))
        let local = try #require(IPAddress(parsing: "fe80::1"))
        let near = try SocketAddress(ip: local, port: 1, interface: 3)
        #expect(try near != SocketAddress(ip: local, port: 1, interface: 4))
        #expect(throws: AddressError.missingInterface) { try SocketAddress(ip: local, port: 1) }
    }

    @Test(arguments: [
        ("192.168.1.20:27275", true), ("[2001:db8::1]:1", true), ("[fd00::1]:1", true),
        ("relay.example:27275", false), ("localhost:1", false), ("192.168.1.20:0", false),
        ("127.0.0.1:6379", false), ("127.8.8.8:1", false), ("[::1]:1", false),
        ("[::ffff:127.0.0.1]:1", false), ("0.0.0.0:1", false), ("0.1.2.3:1", false),
        ("[::]:1", false), ("224.0.0.251:1", false), ("239.1.1.1:1", false),
        ("[ff02::fb]:1", false),
        ("255.255.255.255:1", false), ("240.0.0.1:1", false), ("169.254.1.1:1", false), ("", false),
    ])
    func othersMayTellAddressesOfMachines(text: String, isOfUse: Bool) {
        #expect(SocketAddress.mayDial(text, toldFrom: "192.168.1.7:40000") == isOfUse)
    }

    /// Nodes of one machine tell each other the addresses of further ones in it.
    @Test func onTheLoopbackItIsOfUse() {
        #expect(SocketAddress.mayDial("127.0.0.1:1", toldFrom: "127.0.0.1:40000"))
        #expect(SocketAddress.mayDial("[::1]:1", toldFrom: "127.0.0.1:40000"))
        #expect(!SocketAddress.mayDial("0.0.0.0:1", toldFrom: "127.0.0.1:40000"))
        #expect(!SocketAddress.mayDial("127.0.0.1:1", toldFrom: "localhost:40000"))
    }

    @Test func mappedAddressesAreIPv4() throws {
        #expect(try SocketAddress(parsing: "[::ffff:127.0.0.1]:5") == .loopback4(port: 5))
    }

    @Test func aNameIsNoAddress() {
        #expect(throws: AddressError.hostName("localhost:1")) {
            try SocketAddress(parsing: "localhost:1")
        }
    }

    @Test(arguments: [
        ("127.0.0.1", Bytes16(0, 0xffff_7f00_0001)), ("fe80::1", Bytes16(0xfe80 << 48, 1)),
    ])
    func addressesHaveSixteenBytes(_ text: String, _ mapped: Bytes16) throws {
        let address = try #require(IPAddress(parsing: text))
        #expect(address.mapped == mapped)
        #expect(IPAddress(mapped: mapped) == address)
    }

    @Test func kindsAreKnown() throws {
        #expect(IPAddress(parsing: "fe80::1")?.isLinkLocal == true)
        #expect(IPAddress(parsing: "fec0::1")?.isLinkLocal == false)
        #expect(IPAddress(parsing: "127.9.9.9")?.isLoopback == true)
        #expect(IPAddress(parsing: "::")?.isUnspecified == true)
    }

    @Test func thisMachineHasALoopback() throws {
        let loopback = try #require(LocalAddress.all().first { $0.address?.ip == .v4(0x7f00_0001) })
        #expect(loopback.interfaceName == "lo")
        #expect(loopback.interfaceIndex == 1)
    }
}
