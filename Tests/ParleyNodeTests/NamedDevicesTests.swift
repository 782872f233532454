import ParleyCore
import ParleyKeys
import ParleyNode
import Testing

/// A device that a person types is found by its name, its ID, a beginning of that, or an address.
@Suite struct NamedDevicesTests {
    private let own = DeviceID(Bytes32(9, 0, 0, 0))
    private let anna = DeviceID(Bytes32(0x1111_2222_3333_4444, 1, 1, 1))
    private let bert = DeviceID(Bytes32(0x5555_6666_7777_8888, 1, 1, 1))

    private func devices() -> NamedDevices {
        func device(_ id: DeviceID, _ name: String?, _ port: Int) -> NamedDevices.Device {
            NamedDevices.Device(
                hint: id.hint,
                text: id.text,
                name: name,
                address: "192.0.2.1:\(port)"
            )
        }
        return NamedDevices([
            device(anna, nil, 1), device(anna, "Anna", 2), device(bert, "Bert", 3),
            device(own, "Own", 4),
        ])
    }

    private func hint(_ typed: String) throws(NodeError) -> UInt64 {
        try devices().hint(of: typed, except: own)
    }

    @Test func eachWayToNameADeviceFindsIt() throws {
        let ways = [
            "Anna", "anna", " ANNA ", anna.text, anna.announcedText, String(anna.text.prefix(9)),
            anna.text.prefix(9).lowercased(), "192.0.2.1:1", "192.0.2.1:2",
        ]
        for way in ways { #expect(try hint(way) == anna.hint, "\(way)") }
    }

    @Test func whatMeansNoDeviceIsRefused() {
        for typed in ["", "Carla", "Ann", String(anna.text.prefix(3)), own.text, "Own"] {
            #expect(throws: NodeError.unknownDevice(GivenName.normal(typed))) { try hint(typed) }
        }
    }

    @Test func aNameOfTwoDevicesIsRefusedWithBoth() {
        let devices = NamedDevices([
            NamedDevices.Device(hint: 1, text: "BBBB", name: "Anna", address: "192.0.2.1:1"),
            NamedDevices.Device(hint: 2, text: "AAAA", name: "Anna", address: "192.0.2.1:2"),
        ])
        #expect(throws: NodeError.ambiguousDevice("Anna", devices: ["AAAA", "BBBB"])) {
            try devices.hint(of: "Anna", except: own)
        }
    }

    @Test func theFirstNameThatCanBeShownIsTaken() {
        #expect(devices().name(ofHint: anna.hint) == "Anna")
        #expect(devices().text(ofHint: bert.hint) == bert.text)
        #expect(devices().name(ofHint: 7) == nil)
        #expect(devices().text(ofHint: 7) == nil)
    }
}
