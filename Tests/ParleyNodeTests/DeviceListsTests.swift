import ParleyCore
import ParleyKeys
import ParleyNode
import Testing

/// The lists of blocked and allowed devices, and the devices that people mean by what they type.
@Suite struct DeviceListsTests {
    private let own = DeviceID(Bytes32(9, 0, 0, 0))
    private let anna = DeviceID(Bytes32(0x1111_2222_3333_4444, 1, 1, 1))
    private let bert = DeviceID(Bytes32(0x5555_6666_7777_8888, 1, 1, 1))

    private func listed(_ device: DeviceID, _ list: ListedDevice.List) -> ListedDevice {
        ListedDevice(device: device.text, name: "Anna", list: list)
    }

    @Test func aDeviceIsOnOneListAtATime() throws {
        var lists = DeviceLists()
        try lists.add(listed(anna, .blocked))
        #expect(lists.gate.bars(anna.hint))
        try lists.add(listed(anna, .allowed))
        #expect(lists.devices == [listed(anna, .allowed)])
        #expect(!lists.gate.bars(anna.hint) && lists.gate.bars(bert.hint))
        lists.remove(anna, from: .blocked)
        #expect(lists.devices.count == 1, "it is on the other list")
        lists.remove(anna, from: .allowed)
        #expect(lists.devices.isEmpty)
    }

    @Test func theOnlyAllowedDeviceIsNotBlocked() throws {
        var lists = DeviceLists()
        try lists.add(listed(anna, .allowed))
        #expect(throws: NodeError.self) { try lists.add(listed(anna, .blocked)) }
        #expect(lists.devices == [listed(anna, .allowed)])
    }

    @Test func aDeviceIsFoundByNameAndByID() throws {
        var lists = DeviceLists()
        try lists.add(listed(anna, .blocked))
        let others: [(id: String, name: String?)] = [
            (anna.text, nil), (bert.text, "Bert"), (own.text, "Own"), ("", "Nobody"),
        ]
        let ways = [
            "anna", anna.text, String(anna.text.prefix(9)), anna.text.prefix(7).lowercased(),
        ]
        for way in ways {
            let (device, name) = try lists.device(way, or: others, except: own)
            #expect(device == anna && name == "Anna", "\(way)")
        }
        #expect(try lists.device("Bert", or: others, except: own).0 == bert)
        #expect(try lists.device(bert.text, or: [], except: own) == (bert, nil), "unknown as yet")
        for typed in ["Own", own.text, "Nobody", "Bertram"] {
            #expect(throws: NodeError.unknownDevice(typed)) {
                try lists.device(typed, or: others, except: own)
            }
        }
    }

    @Test func aNameOfTwoDevicesIsRefused() {
        let others: [(id: String, name: String?)] = [(anna.text, "Anna"), (bert.text, "Anna")]
        #expect(
            throws: NodeError.ambiguousDevice("Anna", devices: [anna.text, bert.text].sorted())
        ) {
            try DeviceLists().device("Anna", or: others, except: own)
        }
    }
}
