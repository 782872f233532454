/// The limits of single fields, part of the protocol; texts are measured in bytes of UTF-8.
extension Limits {
    /// The software's name and version in a hello.
    package static let softwareBytes = 64
    /// The name of a device in a hello and in a body.
    package static let deviceNameBytes = 64
    /// The text of a goodbye.
    package static let goodbyeBytes = 256
    /// Devices in one `peers` frame.
    package static let peerAddresses = 64
    /// The text of an address.
    package static let addressBytes = 64
    /// The invite in a `pairing` frame, which is the longest payload of one.
    package static let pairingBytes = 512
    /// The secret of a person in a `pairing` frame: 44 bytes and the name.
    package static let personSecretBytes = 45...44 + deviceNameBytes
    /// Records in one `members` frame.
    package static let memberRecords = 64
    /// A record in a `members` frame.
    package static let memberRecordBytes = 60 << 10
    /// Records of one `members` frame together, but for the last one.
    package static let memberFrameBytes = 48 << 10
    /// Admissions from the creator of a conversation down to a member.
    package static let admissionSteps = 8
    /// Devices that stay when keys are changed.
    package static let stayingDevices = 512
    /// The K of the parent in a generation record, as it is sealed alone.
    package static let earlierBytes = Bytes32.count + SealNonce.overhead
    /// The K of further generations that are sealed with it.
    package static let furtherKeys = 64
    /// Envelopes in one vouch.
    package static let vouchedEnvelopes = 3_000
    /// Receipts in one `receipts` frame.
    package static let receipts = 200
    /// The content of a signal, as it is sealed.
    package static let signalBytes = 512
    /// Chunks of one blob, and the indices in one `blobWant` frame.
    package static let chunksPerBlob = blobBytes / blobChunkBytes
    /// The name of an app.
    package static let appBytes = 255
    /// The URL of a message, where it is read.
    package static let urlBytes = 20_000
    /// The summary of a message.
    package static let summaryBytes = 256
    /// The accessibility label of a message.
    package static let accessibilityLabelBytes = 1_024
    /// Each text of a layout.
    package static let captionBytes = 1_024
    /// The text of a message that does not fit into a caption.
    package static let textBytes = 40_000
    /// The name of an offered file.
    package static let fileNameBytes = 255
    /// The bytes of an offered file, in theory.
    package static let fileBytes: UInt64 = sequenceEnd - 1
    /// A media type.
    package static let mediaTypeBytes = 127
}
