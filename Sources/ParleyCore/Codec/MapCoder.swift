/// A map that is read or written, as the initializer of a `CBORMap` sees it.
///
/// Each method reads or writes the field of one key, and returns the value of the field. A field
/// that is written is taken from the `Body`, as the closure says. Limits are checked only
/// in a map that is read.
protocol MapCoder<Body> {
    /// The value that the map encodes.
    associatedtype Body
    /// `CodecError` in a map that is read; writing never fails.
    associatedtype Failure: Error

    /// A field that every map has.
    ///
    /// - Throws: `.missingKey` without the key, otherwise what `read` throws.
    mutating func field<Value>(
        _ key: UInt64,
        _ value: (Body) -> Value,
        read: (inout CBORReader) throws(CodecError) -> Value,
        write: (Value, inout CBORWriter) -> Void
    ) throws(Failure) -> Value

    /// A field whose key is left out if the value is nil.
    mutating func optional<Value>(
        _ key: UInt64,
        _ value: (Body) -> Value?,
        read: (inout CBORReader) throws(CodecError) -> Value,
        write: (Value, inout CBORWriter) -> Void
    ) throws(Failure) -> Value?

    /// Refuses fields that do not belong together.
    ///
    /// Nothing is refused in a map that is written, so what follows must not trap on any `Body`.
    func check(_ isLegal: @autoclosure () -> Bool, else error: CodecError) throws(Failure)
}

extension MapCoder {
    mutating func field<Value: CBORItem>(
        _ key: UInt64,
        _ value: (Body) -> Value
    ) throws(Failure) -> Value {
        try field(key, value, read: Value.init, write: { $0.write(to: &$1) })
    }

    mutating func optional<Value: CBORItem>(
        _ key: UInt64,
        _ value: (Body) -> Value?
    ) throws(Failure) -> Value? {
        try optional(key, value, read: Value.init, write: { $0.write(to: &$1) })
    }

    /// A number in `range`.
    mutating func field(
        _ key: UInt64,
        in range: ClosedRange<UInt64>,
        _ value: (Body) -> UInt64
    ) throws(Failure) -> UInt64 {
        try field(key, value) {
            reader throws(CodecError) in
            try reader.unsigned(in: range)
        } write: {
            $1.unsigned($0)
        }
    }

    /// A number in `range` whose key is left out if the number is nil.
    mutating func optional(
        _ key: UInt64,
        in range: ClosedRange<UInt64>,
        _ value: (Body) -> UInt64?
    ) throws(Failure) -> UInt64? {
        try optional(key, value) {
            reader throws(CodecError) in
            try reader.unsigned(in: range)
        } write: {
            $1.unsigned($0)
        }
    }

    /// A flag whose key is left out if the flag is false.
    mutating func flag(_ key: UInt64, _ value: (Body) -> Bool) throws(Failure) -> Bool {
        let flag: Bool? = try optional(key, { value($0) ? true : nil }) {
            reader throws(CodecError) in
            try reader.flag()
        } write: {
            $1.bool($0)
        }
        return flag ?? false
    }

    /// A text string of at most `lengthMax` bytes.
    mutating func text(
        _ key: UInt64,
        lengthMax: Int,
        _ value: (Body) -> String
    ) throws(Failure) -> String {
        try field(key, value) {
            reader throws(CodecError) in
            try reader.text(lengthMax: lengthMax)
        } write: {
            $1.text($0)
        }
    }

    /// A text string whose key is left out if the text is nil.
    mutating func optionalText(
        _ key: UInt64,
        lengthMax: Int,
        _ value: (Body) -> String?
    ) throws(Failure) -> String? {
        try optional(key, value) {
            reader throws(CodecError) in
            try reader.text(lengthMax: lengthMax)
        } write: {
            $1.text($0)
        }
    }

    /// A byte string of at most `lengthMax` bytes.
    mutating func bytes(
        _ key: UInt64,
        lengthMax: Int,
        _ value: (Body) -> Slice
    ) throws(Failure) -> Slice {
        try field(key, value) {
            reader throws(CodecError) in
            try reader.byteString(lengthMax: lengthMax)
        } write: {
            $1.byteString($0)
        }
    }

    /// An array whose number of items is in `count`.
    mutating func list<Value: CBORItem>(
        _ key: UInt64,
        count: ClosedRange<Int>,
        _ value: (Body) -> [Value]
    ) throws(Failure) -> [Value] {
        try field(key, value) {
            reader throws(CodecError) in
            try reader.list(count: count)
        } write: {
            $1.list($0)
        }
    }

    /// An array of at most `countMax` items whose key is left out if there are none.
    mutating func listUnlessEmpty<Value: CBORItem>(
        _ key: UInt64,
        countMax: Int,
        _ value: (Body) -> [Value]
    ) throws(Failure) -> [Value] {
        try unlessEmpty(key, value) {
            reader throws(CodecError) in
            try reader.list(count: 1...countMax)
        } write: {
            $1.list($0)
        }
    }

    /// A byte string of packed elements whose number is in `count`.
    mutating func packed<Value: PackedElement>(
        _ key: UInt64,
        count: ClosedRange<Int>,
        _ value: (Body) -> [Value]
    ) throws(Failure) -> [Value] {
        try field(key, value) {
            reader throws(CodecError) in
            try reader.packed(count: count)
        } write: {
            $1.packed($0)
        }
    }

    /// A byte string of up to `countMax` packed elements whose key is left out if there are none.
    mutating func packedUnlessEmpty<Value: PackedElement>(
        _ key: UInt64,
        countMax: Int,
        _ value: (Body) -> [Value]
    ) throws(Failure) -> [Value] {
        try unlessEmpty(key, value) {
            reader throws(CodecError) in
            try reader.packed(count: 1...countMax)
        } write: {
            $1.packed($0)
        }
    }

    /// A list whose key is left out if the list is empty.
    mutating func unlessEmpty<Value>(
        _ key: UInt64,
        _ value: (Body) -> [Value],
        read: (inout CBORReader) throws(CodecError) -> [Value],
        write: ([Value], inout CBORWriter) -> Void
    ) throws(Failure) -> [Value] {
        let list = try optional(key, { Self.unlessEmpty(value($0)) }, read: read, write: write)
        return list ?? []
    }

    private static func unlessEmpty<Value>(_ list: [Value]) -> [Value]? {
        list.isEmpty ? nil : list
    }
}
