/// Why bytes from a peer or a disk were refused.
package enum CodecError: Error, Equatable, Sendable {
    // MARK: The encoding

    /// The bytes end inside an item, or an item declares more content than there is.
    case truncated
    /// A number or a length takes more bytes than necessary.
    case notShortest
    /// A string, array or map has no definite length.
    case indefiniteLength
    /// An item begins with an unused type, such as a tag, a float or null.
    case unsupportedType(UInt8)
    /// Arrays and maps are nested more than `Limits.codecDepth` deep.
    case tooDeep
    /// Bytes follow the last item.
    case trailingBytes
    /// A text string is not UTF-8.
    case invalidUTF8
    /// The keys of a map, or the elements of a sorted list, are not in ascending order.
    case notAscending
    /// A map has a key twice.
    case duplicateKey(UInt64)

    // MARK: The items

    /// An odd key, which has to be understood, is unknown.
    case unknownKey(UInt64)
    /// A map lacks this key.
    case missingKey(UInt64)
    /// A legal item of a type that does not belong there.
    case wrongType
    /// A string of fixed length has another length, or an array has too few elements.
    case wrongLength
    /// A string or list is longer than its limit.
    case tooLong
    /// A number is outside its range, or one value contradicts another.
    case outOfRange
    /// A frame, a proof or the like has an unknown odd type.
    case unknownKind(UInt8)
    /// A hello does not begin with `Hello.magic`.
    case wrongMagic
}
