import ParleyCore
import ParleyKeys

/// The content of `Tests/Vectors/envelope.json`; all bytes as hexadecimal digits.
struct EnvelopeVectors: Codable, Equatable {
    var conversation: Conversation
    var devices: [Device]
    var guest: Guest
    var sessions: [Session]
    var envelopes: [Envelope]
    var batch: Batch
    var blob: Blob
    var membership: [Membership]
    var signatures: [Signed]

    struct Conversation: Codable, Equatable {
        var writerSeed: String
        var publicWriteKey: String
        var readKey: String
        var relayKey: String
        var id: String
        /// HKDF(K, "parley tag").
        var tagKey: String
    }

    struct Device: Codable, Equatable {
        var privateKey: String
        var publicKey: String
        var id: String
        var certificate: String
        var epoch: String
        /// The input of the hash whose first half is the origin.
        var originInput: String
        var origin: String
        var participantHash: String
        var participant: String
        var bodyKey: String
        var blobKey: String
    }

    /// Somebody who writes from a seat of a device.
    struct Guest: Codable, Equatable {
        /// The index of the host in `devices`.
        var host: Int
        var seat: UInt8
        var privateKey: String
        var publicKey: String
        var id: String
        /// What the host signs, and the signature.
        var signed: String
        var certificate: String
        var originInput: String
        var origin: String
        var participant: String
        /// The body of the frame that introduces the origin in the conversation of number 0.
        var frameItems: Item
        var frame: String
    }

    struct Session: Codable, Equatable {
        var uuid: String
        var bytes: String
        var tag: String
    }

    struct Envelope: Codable, Equatable {
        var name: String
        /// The index of its author in `devices`.
        var author: Int
        var headerItems: Item
        var header: String
        var bodyItems: Item
        var body: String
        var nonce: String
        var associatedData: String
        var sealed: String
        var digest: String
        var tieBreak: String
        var proofItems: Item
        /// Header, sealed body and proof as they are sent and stored.
        var envelope: String
    }

    /// How three envelopes share a signature.
    struct Batch: Codable, Equatable {
        /// Indices in `envelopes`.
        var envelopes: [Int]
        /// Leaves first, the root last.
        var levels: [[String]]
        var signed: String
        var signature: String
    }

    struct Blob: Codable, Equatable {
        var author: Int
        var content: String
        var contentHash: String
        var nonce: String
        var associatedData: String
        var sealed: String
        var id: String
    }

    struct Membership: Codable, Equatable {
        var exporter: String
        /// 0: the side that opened the connection.
        var role: UInt8
        var message: String
        var tag: String
    }

    /// Signatures about which implementations of Ed25519 differ.
    struct Signed: Codable, Equatable {
        var publicKey: String
        var message: String
        var signature: String
        var isValid: Bool
    }
}
