import Foundation
import ParleyCore
import ParleyKeys

/// The other devices of the person that are linked to this one, and what each has of this one's
/// conversations.
///
/// A list belongs to one key of the person: after a loss nobody is linked until linked again.
struct LinkedDevices: Codable, Sendable {
    private let person: String
    /// The IDs of the conversations that each device needs no more, by the ID of the device.
    private var devices: [String: [String]] = [:]

    /// The devices that can be linked at a time.
    static let countMax = 16

    init(of secret: PersonSecret?) {
        person = secret?.publicKey.hex ?? ""
    }

    /// These devices if they have that secret, else none.
    func having(_ secret: PersonSecret?) -> LinkedDevices {
        let now = LinkedDevices(of: secret)
        return person == now.person ? self : now
    }

    var all: [DeviceID] { devices.keys.sorted().compactMap { try? DeviceID(parsing: $0) } }

    func contains(_ device: DeviceID) -> Bool { devices[device.text] != nil }

    /// Whether a linked device lacks a conversation.
    func lacks(_ conversation: ConversationID, _ device: DeviceID) -> Bool {
        devices[device.text].map { !$0.contains(conversation.value.hex) } ?? false
    }

    /// Whether the device whose ID has these first eight bytes can be linked.
    func hasPlace(for hint: UInt64) -> Bool {
        devices.count < Self.countMax || all.contains { $0.hint == hint }
    }

    mutating func add(_ device: DeviceID) {
        devices[device.text] = devices[device.text] ?? []
    }

    /// A device has a conversation; those that are not `present` any more are forgotten.
    mutating func note(
        _ conversation: ConversationID,
        at device: DeviceID,
        among present: [ConversationID]
    ) {
        guard let known = devices[device.text] else { return }
        let present = Set(present.map(\.value.hex))
        let all = Set(known + [conversation.value.hex])
        devices[device.text] = all.intersection(present).sorted()
    }
}
