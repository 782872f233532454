/// A map that is written.
///
/// A `CBORWriter` cannot be copied, so between two fields only its bytes are kept.
struct MapWriter<Body>: MapCoder {
    private let body: Body
    private var bytes: [UInt8]
    private var map: CBORWriter.Map

    /// Begins the map of `body` as the next item of `writer`.
    init(_ body: Body, to writer: consuming CBORWriter) {
        self.body = body
        map = writer.openMap()
        bytes = writer.finish()
    }

    /// Ends the map, and returns the writer behind it.
    mutating func close() -> CBORWriter {
        var writer = CBORWriter(bytes)
        bytes = []
        writer.closeMap(map)
        return writer
    }

    @inline(__always)
    mutating func field<Value>(
        _ key: UInt64,
        _ value: (Body) -> Value,
        read: (inout CBORReader) throws(CodecError) -> Value,
        write: (Value, inout CBORWriter) -> Void
    ) throws(Never) -> Value {
        let value = value(body)
        var writer = CBORWriter(bytes)
        bytes = []
        writer.key(key, in: &map)
        write(value, &writer)
        bytes = writer.finish()
        return value
    }

    @inline(__always)
    mutating func optional<Value>(
        _ key: UInt64,
        _ value: (Body) -> Value?,
        read: (inout CBORReader) throws(CodecError) -> Value,
        write: (Value, inout CBORWriter) -> Void
    ) throws(Never) -> Value? {
        guard let value = value(body) else { return nil }
        return field(key, { _ in value }, read: read, write: write)
    }

    func check(_ isLegal: @autoclosure () -> Bool, else error: CodecError) throws(Never) {}
}
