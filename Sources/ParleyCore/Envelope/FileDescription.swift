/// A file that the author of a message offers: readers fetch it from the author's device.
package struct FileDescription: Sendable, Equatable {
    /// The name for people, 1 to 255 bytes.
    package var name: String
    /// Media type, at most 127 bytes; may be empty.
    package var type: String
    /// SHA-256 of the bytes.
    package var hash: Bytes32
    /// The number of bytes, from 1 to 2^48 - 1.
    package var size: UInt64
    /// The TCP port on which the author's node listens; 0 if that says nothing.
    package var port: UInt16

    package init(name: String, type: String, hash: Bytes32, size: UInt64, port: UInt16 = 0) {
        self.name = name
        self.type = type
        self.hash = hash
        self.size = size
        self.port = port
    }

    /// The first limit that the description exceeds, in words, or nil.
    var problem: String? {
        if name.isEmpty { return "the file has no name" }
        guard name.utf8.count <= Limits.fileNameBytes else {
            return "the name of the file has \(name.utf8.count) bytes, at most "
                + "\(Limits.fileNameBytes) are allowed"
        }
        guard type.utf8.count <= Limits.mediaTypeBytes else {
            return "the media type of the file has \(type.utf8.count) bytes"
        }
        guard size > 0, size <= Limits.fileBytes else { return "the file has \(size) bytes" }
        return nil
    }
}

extension FileDescription: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 5)
        name = try reader.text(lengthMax: Limits.fileNameBytes)
        type = try reader.text(lengthMax: Limits.mediaTypeBytes)
        hash = try reader.fixed()
        size = try reader.unsigned(in: 1...Limits.fileBytes)
        port = UInt16(try reader.unsigned(in: 0...UInt64(UInt16.max)))
        reader.closeArray()
        guard !name.isEmpty else { throw .wrongLength }
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 5)
        writer.text(name)
        writer.text(type)
        writer.fixed(hash)
        writer.unsigned(size)
        writer.unsigned(UInt64(port))
    }
}
