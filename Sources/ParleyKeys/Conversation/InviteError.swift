/// Why a text is not an invite; `hint` gives a remedy for each case.
package enum InviteError: Error, Equatable, Sendable {
    case empty
    /// The bytes are not UTF-8.
    case notText
    case tooLong(bytes: Int)
    /// The text starts with neither `parley:` nor `open:`, but perhaps with the scheme `found`.
    case wrongScheme(found: String?)
    /// `position` counts bytes from 1, the scheme included.
    case notBase64URL(character: Character, position: Int)
    /// The link ends too early; `missing` is a lower bound, in bytes.
    case truncated(missing: Int)
    /// The checksum does not match: the link was altered, for example by a typo.
    case checksum
    case unknownVersion(UInt8)
    case unknownRole(UInt8)
    /// The checksum matches, but the lengths of the parts are inconsistent.
    case malformed
    case name(ConversationNameError)
}

extension InviteError: CustomStringConvertible {
    /// The stable name of the case.
    package var name: String {
        switch self {
        case .empty: "inviteEmpty"
        case .notText: "inviteNotText"
        case .tooLong: "inviteTooLong"
        case .wrongScheme: "inviteWrongScheme"
        case .notBase64URL: "inviteNotBase64URL"
        case .truncated: "inviteTruncated"
        case .checksum: "inviteChecksum"
        case .unknownVersion: "inviteUnknownVersion"
        case .unknownRole: "inviteUnknownRole"
        case .malformed: "inviteMalformed"
        case .name(let error): error.name
        }
    }

    /// The problem, in one sentence, which never contains any part of a key.
    package var message: String {
        switch self {
        case .empty: "The invite is empty."
        case .notText: "This is not an invite: it is not text in UTF-8."
        case .tooLong(let bytes):
            "This is not an invite: it has \(bytes) bytes, and an invite at most"
                + " \(InviteText.lengthMax)."
        case .wrongScheme(nil): "This is not an invite: it does not start with parley: or open:."
        case .wrongScheme(let scheme?): "This is a link that begins with \(scheme):, not an invite."
        case .notBase64URL(let character, let position):
            "The invite contains \(character.shown) at position \(position), which is not"
                + " possible in an invite."
        case .truncated: "The end of the invite is missing."
        case .checksum: "The invite has a typo: its checksum is wrong."
        case .unknownVersion(let version):
            "The invite has version \(version), which this program does not know."
        case .unknownRole(let role):
            "The invite is for role \(role), which this program does not know."
        case .malformed: "The program that wrote the invite made a mistake: its parts do not fit."
        case .name(let error): error.message
        }
    }

    /// The remedy, in one sentence.
    package var hint: String {
        switch self {
        case .empty, .notText, .tooLong, .wrongScheme:
            "Paste the whole line that parley invite printed, or open: and a name."
        case .malformed: "Ask for a new invite: parley invite NAME."
        case .notBase64URL: "Paste it in one piece, without quotes, spaces or line breaks inside."
        case .truncated: "Copy it again up to its last character; some programs wrap long lines."
        case .checksum: "Copy it again instead of typing it, or scan the QR code."
        case .unknownVersion, .unknownRole: "Update Parley on this machine."
        case .name(let error): error.hint
        }
    }

    package var description: String { "\(message) \(hint)" }
}
