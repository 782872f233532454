/// The sealed part of a card: the name of the device, and the person to whom it belongs.
package struct CardText: Sendable, Hashable {
    /// At most `Limits.deviceNameBytes` bytes.
    package let name: String
    package let person: Person?

    package init(name: String, person: Person?) {
        self.name = name
        self.person = person
    }

    /// u8 length of the name ‖ name ‖ the person, or nothing.
    var packed: [UInt8] {
        let name = Array(name.utf8.prefix(Limits.deviceNameBytes))
        return [UInt8(name.count)] + name + (person?.packed ?? [])
    }

    static let packedBytesMax = 1 + Limits.deviceNameBytes + Person.packedBytesMax

    /// Reads `packed`; nil if a part is not legal.
    init?(packed: Slice) {
        guard !packed.isEmpty else { return nil }
        let end = 1 + Int(packed[0])
        guard end <= 1 + Limits.deviceNameBytes, end <= packed.count,
            let name = String(validating: packed[1..<end].bytes, as: UTF8.self)
        else { return nil }
        let rest = packed[end..<packed.count]
        guard !rest.isEmpty else {
            self.init(name: name, person: nil)
            return
        }
        guard let person = Person(packed: rest) else { return nil }
        self.init(name: name, person: person)
    }
}
