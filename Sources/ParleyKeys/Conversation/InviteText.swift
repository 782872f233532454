import ParleyCore

/// The text form of invites.
///
/// A link is the base64url form of: version, role (1 relay, 2 reader, 3 writer), length of the
/// name, keys, 32 bytes that say of which conversation, name, checksum. The keys are S for a
/// writer, K and public W for a reader, R and public W for a relay. Version 1 leaves the 32 bytes
/// out; in version 3 they are the key of the creator, in version 4 the conversation ID.
///
/// The checksum is the first 6 bytes of SHA-256 over "parley invite" and all bytes before the
/// checksum. Later versions must keep the first byte and the checksum, so that an old node can tell
/// a link of a newer version from a typo.
enum InviteText {
    static let scheme = "parley:"
    static let openScheme = "open:"

    /// The versions of links whose keys say the conversation, which have its creator, and its ID.
    private static let (version, creatorVersion, laterVersion): (UInt8, UInt8, UInt8) = (1, 3, 4)
    /// The version of links that have a token instead of keys.
    static let knockVersion: UInt8 = 2
    /// The longest text that is parsed, in bytes of UTF-8.
    static let lengthMax = 512

    private static let fixedBytes = 3
    private static let checksumBytes = 6

    static func link(_ invite: InviteLink) -> String {
        let name = invite.name.utf8
        var bytes: [UInt8]
        let origin: [UInt8]
        switch invite.origin {
        case .keys: (bytes, origin) = ([version], [])
        case .creator(let key): (bytes, origin) = ([creatorVersion], key.bytes)
        case .conversation(let id): (bytes, origin) = ([laterVersion], id.bytes)
        }
        bytes += [invite.role.rawValue, UInt8(name.count)]
        bytes += keys(invite.capability) + origin + name
        return scheme + Base64URL.text(bytes + checksum(bytes))
    }

    static func link(_ knock: KnockLink) -> String {
        let bytes = [knockVersion] + knock.content
        return scheme + Base64URL.text(bytes + checksum(bytes))
    }

    /// The content of the text of an invite.
    enum Parsed {
        case keys(InviteLink)
        case knock(KnockLink)
    }

    static func parse(_ text: String) throws(InviteError) -> Parsed {
        let characters = trimmed(text)
        guard !characters.isEmpty else { throw .empty }
        guard characters.count <= lengthMax else { throw .tooLong(bytes: characters.count) }
        if let name = remainder(characters, after: openScheme) {
            return .keys(InviteLink(openConversation: try conversationName(name)))
        }
        guard let link = remainder(characters, after: scheme) else {
            throw .wrongScheme(found: foundScheme(characters))
        }
        return try invite(link)
    }

    private static func invite(_ link: ArraySlice<UInt8>) throws(InviteError) -> Parsed {
        let decoded: Base64URL.Decoded
        do {
            decoded = try Base64URL.decode(link)
        } catch {
            throw .notBase64URL(
                character: error.character,
                position: scheme.utf8.count + error.index + 1
            )
        }
        let bytes = decoded.bytes
        if let missing = missingBytes(bytes) { throw .truncated(missing: missing) }
        let content = bytes.dropLast(checksumBytes)
        guard decoded.isWhole, Array(bytes.suffix(checksumBytes)) == checksum(Array(content))
        else { throw .checksum }
        // The checksum matches, so an error below was made by the program that wrote the link.
        guard content[0] != knockVersion else {
            return .knock(try KnockLink(content: Slice(Array(content.dropFirst()))))
        }
        guard let originBytes = originCount(content[0]) else { throw .unknownVersion(content[0]) }
        guard let role = Capability.Role(rawValue: content[1]) else {
            throw .unknownRole(content[1])
        }
        let keyBytes = keyCount(role) * Bytes32.count
        let nameStart = fixedBytes + keyBytes + originBytes
        guard content.count == nameStart + Int(content[2]) else { throw .malformed }
        let material = Slice(Array(content[fixedBytes..<nameStart]))
        return .keys(
            InviteLink(
                capability(role, material),
                of: origin(content[0], material, at: keyBytes),
                name: try conversationName(content[nameStart...])
            )
        )
    }

    /// The bytes in links of a version that say of which conversation; nil of an unknown version.
    private static func originCount(_ version: UInt8) -> Int? {
        switch version {
        case Self.version: 0
        case creatorVersion, laterVersion: Bytes32.count
        default: nil
        }
    }

    private static func origin(
        _ version: UInt8,
        _ material: Slice,
        at start: Int
    ) -> InviteLink.Origin {
        switch version {
        case creatorVersion: .creator(Bytes32(reading: material, at: start))
        case laterVersion: .conversation(ConversationID(reading: material, at: start))
        default: .keys
        }
    }

    /// A lower bound of the bytes that are missing from a truncated link, or nil if the link is as
    /// long as its header says.
    private static func missingBytes(_ bytes: [UInt8]) -> Int? {
        let smallest = fixedBytes + Bytes32.count + 1 + checksumBytes
        guard bytes.count >= fixedBytes else { return smallest - bytes.count }
        let content: Int
        if bytes[0] == knockVersion {
            content = 1 + KnockLink.leastCount(Array(bytes.dropFirst()))
        } else if let originBytes = originCount(bytes[0]),
            let role = Capability.Role(rawValue: bytes[1])
        {
            content = fixedBytes + keyCount(role) * Bytes32.count + originBytes + Int(bytes[2])
        } else {
            return bytes.count < fixedBytes + checksumBytes ? checksumBytes : nil
        }
        let whole = content + checksumBytes
        return bytes.count < whole ? whole - bytes.count : nil
    }

    private static func keys(_ capability: Capability) -> [UInt8] {
        if let seed = capability.writerSeed { return seed.bytes }
        return (capability.readKey ?? capability.relayKey).bytes + capability.publicWriteKey.bytes
    }

    private static func keyCount(_ role: Capability.Role) -> Int {
        switch role {
        case .writer: 1
        case .reader, .relay: 2
        }
    }

    private static func capability(_ role: Capability.Role, _ material: Slice) -> Capability {
        let first = Bytes32(reading: material, at: 0)
        func second() -> Bytes32 { Bytes32(reading: material, at: Bytes32.count) }
        return switch role {
        case .writer: Capability(writerSeed: first)
        case .reader: Capability(readKey: first, publicWriteKey: second())
        case .relay: Capability(relayKey: first, publicWriteKey: second())
        }
    }

    static func conversationName(
        _ bytes: ArraySlice<UInt8>
    ) throws(InviteError) -> ConversationName {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .name(.notUTF8) }
        do {
            return try ConversationName(text)
        } catch {
            throw .name(error)
        }
    }

    private static func checksum(_ content: [UInt8]) -> [UInt8] {
        let hash = SHA256.hash(Array("parley invite".utf8) + content)
        return Array(hash.bytes.prefix(checksumBytes))
    }

    /// The text without white space around it and without invisible characters.
    ///
    /// Programs add such characters to copied text: line break hints, direction marks, a byte-order
    /// mark.
    private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
        let unseen: [Unicode.Scalar] = [
            "\u{AD}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2060}", "\u{FEFF}",
        ]
        let seen = text.unicodeScalars.filter { !unseen.contains($0) }
        func isInk(_ scalar: Unicode.Scalar) -> Bool { !scalar.properties.isWhitespace }
        guard let first = seen.firstIndex(where: isInk), let last = seen.lastIndex(where: isInk)
        else { return [] }
        return Array(String(String.UnicodeScalarView(seen[first...last])).utf8)[...]
    }

    /// The characters after `scheme`, which is matched case-insensitively; nil if `characters` do
    /// not start with it.
    private static func remainder(
        _ characters: ArraySlice<UInt8>,
        after scheme: String
    ) -> ArraySlice<UInt8>? {
        let count = scheme.utf8.count
        let start = String(decoding: characters.prefix(count), as: UTF8.self)
        return start.lowercased() == scheme ? characters.dropFirst(count) : nil
    }

    /// The text before the first colon, if it looks like a scheme.
    private static func foundScheme(_ characters: ArraySlice<UInt8>) -> String? {
        guard let colon = characters.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let found = String(decoding: characters[..<colon], as: UTF8.self)
        let isScheme = found.utf8.count <= 32 && found.allSatisfy { $0.isASCII && $0.isLetter }
        return isScheme ? found : nil
    }
}
