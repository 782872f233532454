/// A file that the author of a message offers to readers, as the message describes it.
public struct FileInfo: Hashable, Sendable, Codable {
    /// The name of the file.
    public let name: String
    /// The media type by the author's word; may be empty.
    public let type: String
    /// The length in bytes.
    public let bytes: Int
    /// SHA-256 of the bytes, 64 hexadecimal digits.
    public let sha256: String

    package init(name: String, type: String, bytes: Int, sha256: String) {
        self.name = name
        self.type = type
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// An offered file, and how much of it this node has.
public struct FileTransfer: Hashable, Sendable, Codable {
    /// What this node does with an offered file.
    public enum State: String, Hashable, Sendable, Codable {
        /// Nobody has decided yet.
        case offered
        /// Somebody at this node does not want the file.
        case declined
        /// The file was accepted, and its bytes cannot come at present.
        case waiting
        /// The bytes are on their way.
        case receiving
        /// The whole file is on the disk of this node, or comes from there.
        case here
        /// The transfer has ended without the file; it may be accepted again.
        case failed
    }

    /// The conversation's name on this node.
    public let conversation: String
    /// The session of the message.
    public let session: SessionID
    /// The file.
    public let file: FileInfo
    /// What this node does with it.
    public let state: State
    /// The bytes that are here.
    public let done: Int
    /// The bytes that arrive per second; nil unless there are some.
    public let rate: Int?
    /// Why the file waits or has failed, as a sentence.
    public let reason: String?
    /// Whether this node offers the file.
    public let isMine: Bool

    private enum CodingKeys: String, CodingKey {
        case conversation, session, file, state, done, rate, reason
        case isMine = "mine"
    }

    package init(
        conversation: String,
        session: SessionID,
        file: FileInfo,
        state: State = .offered,
        done: Int = 0,
        rate: Int? = nil,
        reason: String? = nil,
        isMine: Bool = false
    ) {
        self.conversation = conversation
        self.session = session
        self.file = file
        self.state = state
        self.done = done
        self.rate = rate
        self.reason = reason
        self.isMine = isMine
    }
}
