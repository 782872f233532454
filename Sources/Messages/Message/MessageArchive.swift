import Foundation

/// Reads archived messages that may be damaged or come from an untrusted source.
///
/// On Linux, Foundation's `NSKeyedUnarchiver` ends the process on some damaged archives. So this
/// type reads archives as property lists.
package enum MessageArchive {
    /// The largest archive that is read, in bytes.
    package static let bytesMax = ArchivedValue.bytesMax

    /// Why there is no message.
    package enum ArchiveError: Error, Hashable, Sendable {
        case tooLarge
        /// The data is not an archive.
        case malformed
        /// The archive holds an object of another class, alone or beside a message.
        case unexpectedClass(String)
        /// The contents of the message cannot be decoded, or its URL is invalid.
        case improperContents
    }

    /// The archive of `message` as `NSKeyedArchiver` writes it.
    package static func data(of message: MSMessage) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: message, requiringSecureCoding: true)
    }

    /// Reads the message from an archive that `NSKeyedArchiver` or `data(of:)` wrote.
    package static func message(from data: Data) throws(ArchiveError) -> MSMessage {
        guard data.count <= bytesMax else { throw .tooLarge }
        // All of Foundation's reasons mean that the data is not an archive.
        guard BinaryPropertyList.isHarmless(data),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let objects = (list as? [String: Any])?["$objects"] as? [Any]
        else { throw .malformed }
        let entries = objects.compactMap { $0 as? [String: Any] }
        let expected = NSStringFromClass(MSMessage.self)
        for case let name as String in entries.compactMap({ $0["$classname"] })
        where name != expected {
            throw .unexpectedClass(name)
        }
        let values = entries.compactMap { $0[ArchivedValue.key] as? Data }
        guard
            values.count == 1,
            let archived = ArchivedValue.decode(ArchivedMessage.self, from: values[0]),
            archived.contents.isWhole
        else { throw .improperContents }
        return MSMessage(archived.contents, status: MessageStatus(archived.state))
    }
}
