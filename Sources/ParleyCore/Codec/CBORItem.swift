/// A value that is one item of the encoding.
protocol CBORItem {
    init(from reader: inout CBORReader) throws(CodecError)
    func write(to writer: inout CBORWriter)
}

extension CBORItem {
    /// Reads an item that fills `bytes`.
    init(item bytes: Slice) throws(CodecError) {
        var reader = CBORReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// The bytes of the item.
    var itemBytes: [UInt8] {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.finish()
    }
}

/// A value that is a map; its fields are listed once, for reading and for writing.
///
/// A `MapReader` takes each field from the bytes. A `MapWriter` takes each field from the value
/// that is written, and appends the field; the second value that arises is dropped.
protocol CBORMap: CBORItem {
    /// Makes a value from the fields of a map, which the initializer names in the order of the
    /// bytes: by ascending keys.
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure)
}

extension CBORMap {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try MapReader<Self>(reader)
        try self.init(fields: &map)
        reader = try map.close()
    }

    func write(to writer: inout CBORWriter) {
        var map = MapWriter(self, to: writer.take())
        _ = Self(fields: &map)
        writer = map.close()
    }
}

/// An element of a packed list, which is one byte string; all elements have the same length.
protocol PackedElement {
    static var packedBytes: Int { get }

    /// Reads `packedBytes` bytes of `slice` from `offset` on, which must be there.
    init(packed slice: Slice, at offset: Int) throws(CodecError)

    /// Appends `packedBytes` bytes.
    func appendPacked(to buffer: inout [UInt8])
}

// MARK: Numbers

extension UInt64: CBORItem, PackedElement {
    init(from reader: inout CBORReader) throws(CodecError) { self = try reader.unsigned() }

    func write(to writer: inout CBORWriter) { writer.unsigned(self) }

    static var packedBytes: Int { 8 }

    init(packed slice: Slice, at offset: Int) { self = slice.bigEndian(at: offset) }

    func appendPacked(to buffer: inout [UInt8]) { buffer.appendBigEndian(self) }
}

extension Int64: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) { self = try reader.signed() }

    func write(to writer: inout CBORWriter) { writer.signed(self) }
}

extension UInt32: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) { self = try reader.unsigned32() }

    func write(to writer: inout CBORWriter) { writer.unsigned(UInt64(self)) }
}

extension UInt8: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        self = UInt8(try reader.unsigned(in: 0...UInt64(UInt8.max)))
    }

    func write(to writer: inout CBORWriter) { writer.unsigned(UInt64(self)) }
}

extension Bool: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) { self = try reader.bool() }

    func write(to writer: inout CBORWriter) { writer.bool(self) }
}

/// A number that stands for one of the known cases; another number is `.outOfRange`.
extension CBORItem where Self: RawRepresentable, RawValue: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        guard let value = Self(rawValue: try RawValue(from: &reader)) else { throw .outOfRange }
        self = value
    }

    func write(to writer: inout CBORWriter) { rawValue.write(to: &writer) }
}

// MARK: Fixed bytes

extension CBORItem where Self: FixedBytes {
    init(from reader: inout CBORReader) throws(CodecError) { self = try reader.fixed() }

    func write(to writer: inout CBORWriter) { writer.fixed(self) }
}

extension PackedElement where Self: FixedBytes {
    static var packedBytes: Int { count }

    init(packed slice: Slice, at offset: Int) { self.init(reading: slice, at: offset) }

    func appendPacked(to buffer: inout [UInt8]) { append(to: &buffer) }
}

extension Signature: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) { self = try reader.signature() }

    func write(to writer: inout CBORWriter) { writer.signature(self) }
}

extension Bytes16: CBORItem, PackedElement {}
extension Bytes32: CBORItem, PackedElement {}
