import Foundation

/// Reads archived messages that may have been damaged or written by somebody else.
///
/// Foundation's `NSKeyedUnarchiver` on Linux ends the process at some of those, so it is not asked:
/// the archive is read as the property list that it is.
package enum MessageArchive {
    /// The largest archive that is read, in bytes.
    package static let bytesMax = ArchivedValue.bytesMax

    /// Why there is no message.
    package enum ArchiveError: Error, Hashable, Sendable {
        case tooLarge
        /// Not an archive at all.
        case malformed
        /// Something else than a message, or something beside it.
        case unexpectedClass(String)
        /// A message whose contents make no sense.
        case improperContents
    }

    /// What `NSKeyedArchiver` writes of `message`.
    package static func data(of message: MSMessage) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: message, requiringSecureCoding: true)
    }

    /// The message in `data`, which `NSKeyedArchiver` or `data(of:)` wrote.
    package static func message(from data: Data) throws(ArchiveError) -> MSMessage {
        guard data.count <= bytesMax else { throw .tooLarge }
        // Foundation's many reasons are one here: it is no archive.
        guard
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
