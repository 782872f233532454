import Foundation

/// Why the key of this device cannot be read or made; `hint` gives a remedy for each case.
package enum DeviceKeyError: Error, Equatable, Sendable {
    /// Users other than the owner may read or write the file, or it is executable; `mode` holds the
    /// permission bits that chmod sets.
    case modeTooWide(path: String, mode: UInt32)
    /// The file belongs to another user; `owner` and `user` are numeric user IDs.
    case foreignOwner(path: String, owner: UInt32, user: UInt32)
    /// The path leads to a directory, a device or the like.
    case notAFile(path: String)
    /// The file exists and cannot be read, or it does not exist; `code` is an `errno`.
    case unreadable(path: String, code: Int32)
    case malformed(path: String, DeviceKeyDefect)
    /// The file cannot be made; `code` is an `errno`.
    case cannotCreate(path: String, code: Int32)
}

extension DeviceKeyError: CustomStringConvertible {
    /// The stable name of the case.
    package var name: String {
        switch self {
        case .modeTooWide: "deviceKeyModeTooWide"
        case .foreignOwner: "deviceKeyForeignOwner"
        case .notAFile: "deviceKeyNotAFile"
        case .unreadable: "deviceKeyUnreadable"
        case .malformed: "deviceKeyMalformed"
        case .cannotCreate: "deviceKeyCannotCreate"
        }
    }

    /// The problem, in one sentence.
    package var message: String {
        switch self {
        case .modeTooWide(let path, let mode):
            "The device key \(path) has mode 0\(String(mode, radix: 8)), which lets others use it."
        case .foreignOwner(let path, let owner, let user):
            "The device key \(path) belongs to user \(owner), and this node runs as \(user)."
        case .notAFile(let path): "\(path) is not a file, so it cannot hold the device key."
        case .unreadable(let path, let code):
            "The device key \(path) cannot be read: \(DeviceKeyError.text(code))."
        case .malformed(let path, let defect):
            "\(path) does not hold a device key: \(DeviceKeyError.text(defect))."
        case .cannotCreate(let path, let code):
            "The device key \(path) cannot be created: \(DeviceKeyError.text(code))."
        }
    }

    /// The remedy, in one sentence.
    package var hint: String {
        switch self {
        case .modeTooWide(let path, _):
            "Run: chmod 600 '\(path)'. If somebody may have read it, move it away: the node then"
                + " makes a new key and is a new device. The old key stays valid: SECURITY.md says"
                + " what else to do."
        case .foreignOwner(let path, _, let user):
            "Run the node as the owner, or as root: chown \(user) '\(path)'."
        case .notAFile(let path): "Move \(path) away; the node then makes a new key."
        case .unreadable(let path, _): "Let the user of the node read \(path) and its directory."
        case .malformed(let path, _):
            "Restore \(path) from a backup, or move it away: the node then makes a new key and is"
                + " a new device."
        case .cannotCreate(let path, _):
            "Let the user of the node write the directory of \(path), on a file system that has"
                + " free space and hard links."
        }
    }

    package var description: String { "\(message) \(hint)" }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func text(_ defect: DeviceKeyDefect) -> String {
        switch defect {
        case .empty: "it is empty"
        case .tooLong(let bytes): "\(bytes) bytes are too many for a key"
        case .notPrivateKeyPEM: "it is not a PEM file with one PRIVATE KEY"
        case .notBase64: "its content is not base64"
        case .notEd25519: "it is not an Ed25519 key in PKCS#8 form"
        }
    }
}
