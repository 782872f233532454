import Foundation
import ParleyCore
import ParleyKeys

/// The linked devices of the person, with the conversations of each, and the conversations that
/// were left here.
///
/// The devices belong to one key of the person: after a loss nobody is linked until linked again.
struct LinkedDevices: Codable, Sendable {
    private var person: String
    /// The IDs of the conversations that each device has or had, by the ID of the device.
    private var devices: [String: [String]] = [:]
    /// The IDs of the conversations that this device has left, the latest last.
    private var left: [String] = []

    /// The devices that can be linked at a time.
    static let countMax = 32
    private static let leftMax = 1_024
    /// More than the longest list takes: 74 bytes for each device of each of 4,096 conversations.
    static let bytesMax = 16 << 20

    init(of secret: PersonSecret?) {
        person = Self.text(secret)
    }

    /// The same without the devices, unless they have that secret.
    func having(_ secret: PersonSecret?) -> LinkedDevices {
        var now = self
        now.person = Self.text(secret)
        if now.person != person { now.devices = [:] }
        return now
    }

    private static func text(_ secret: PersonSecret?) -> String { secret?.publicKey.hex ?? "" }

    // MARK: Devices

    var all: [DeviceID] { devices.keys.sorted().compactMap { try? DeviceID(parsing: $0) } }

    func contains(_ device: DeviceID) -> Bool { devices[device.text] != nil }

    /// Whether the device whose ID has these first eight bytes can be linked.
    func hasPlace(for hint: UInt64) -> Bool {
        devices.count < Self.countMax || all.contains { $0.hint == hint }
    }

    /// Adds a device, which may have lost all that it had.
    mutating func add(_ device: DeviceID) { devices[device.text] = [] }

    mutating func remove(_ device: DeviceID) { devices[device.text] = nil }

    // MARK: Conversations

    /// Whether a linked device lacks a conversation.
    func lacks(_ conversation: ConversationID, _ device: DeviceID) -> Bool {
        devices[device.text].map { !$0.contains(conversation.hex) } ?? false
    }

    /// A device has a conversation; those that are not `present` any more are forgotten.
    ///
    /// - Returns: whether that changes something.
    mutating func note(
        _ conversation: ConversationID,
        at device: DeviceID,
        among present: [ConversationID]
    ) -> Bool {
        guard let known = devices[device.text], present.contains(conversation),
            lacks(conversation, device)
        else { return false }
        let present = Set(present.map(\.hex))
        devices[device.text] = known.filter(present.contains) + [conversation.hex]
        return true
    }

    /// Whether this device has left a conversation.
    func isLeft(_ conversation: ConversationID) -> Bool { left.contains(conversation.hex) }

    /// This device has left a conversation, or is in it again.
    mutating func note(_ conversation: ConversationID, isLeft: Bool) {
        left.removeAll { $0 == conversation.hex }
        if isLeft { left = left.suffix(Self.leftMax - 1) + [conversation.hex] }
    }
}
