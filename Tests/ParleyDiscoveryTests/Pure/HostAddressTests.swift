import ParleyDiscovery
import Testing

struct HostAddressTests {
    private static func ipv6(_ start: [UInt8], _ end: [UInt8] = []) -> [UInt8] {
        start + Array(repeating: 0, count: 16 - start.count - end.count) + end
    }

    @Test(arguments: [
        [127, 0, 0, 1], [10, 77, 0, 1], [169, 254, 1, 1], [223, 255, 255, 255],
        ipv6([0xFE, 0x80], [1]), ipv6([0xFD], [1]), ipv6([0x20, 0x01], [1]), ipv6([], [1]),
    ])
    func takesAddressesOfOneHost(_ bytes: [UInt8]) { #expect(HostAddress.isUsable(bytes)) }

    @Test(arguments: [
        [], [127, 0, 0], [0, 0, 0, 0], [0, 1, 2, 3], [224, 0, 0, 251], [255, 255, 255, 255],
        ipv6([]), ipv6([], [2]), ipv6([0xFF, 0x02], [0xFB]),
        ipv6([], [0xFF, 0xFF, 10, 0, 0, 1]), ipv6([], [10, 0, 0, 1]),
        Array(repeating: 1, count: 17),
    ])
    func refusesAllOthers(_ bytes: [UInt8]) { #expect(!HostAddress.isUsable(bytes)) }
}
