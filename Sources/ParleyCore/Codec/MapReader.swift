/// A map that is read.
struct MapReader<Body>: MapCoder {
    private var reader: CBORReader
    private var map: CBORReader.Map

    /// Begins the map that is the next item of `reader`.
    init(_ reader: CBORReader) throws(CodecError) {
        self.reader = reader
        map = try self.reader.openMap()
    }

    /// Skips the rest of the map, and returns the reader behind it.
    mutating func close() throws(CodecError) -> CBORReader {
        try reader.closeMap(&map)
        return reader
    }

    @inline(__always)
    mutating func field<Value>(
        _ key: UInt64,
        _ value: (Body) -> Value,
        read: (inout CBORReader) throws(CodecError) -> Value,
        write: (Value, inout CBORWriter) -> Void
    ) throws(CodecError) -> Value {
        try reader.require(key, in: &map)
        return try read(&reader)
    }

    @inline(__always)
    mutating func optional<Value>(
        _ key: UInt64,
        _ value: (Body) -> Value?,
        read: (inout CBORReader) throws(CodecError) -> Value,
        write: (Value, inout CBORWriter) -> Void
    ) throws(CodecError) -> Value? {
        try reader.seek(key, in: &map) ? try read(&reader) : nil
    }

    func check(_ isLegal: @autoclosure () -> Bool, else error: CodecError) throws(CodecError) {
        guard isLegal() else { throw error }
    }
}
