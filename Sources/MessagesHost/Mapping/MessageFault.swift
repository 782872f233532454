public import ParleyNode

/// Why a message is not given to an app; the app then gets no part of it.
public enum MessageFault: Error, Hashable, Sendable {
    /// The body cannot be opened with the conversation's key, or cannot be decoded.
    case unreadable
    /// The message is a tombstone, which ends its session and has no contents.
    case ended
    /// The message breaks a rule of its game, and the game goes on without it.
    case againstTheRules(Match.Fault)
    /// The text of the URL is not exactly that of a URL.
    case badURL
    /// The URL has too many characters; the value is their number.
    case urlTooLong(Int)
    /// The picture has not arrived yet.
    case pictureMissing
    /// The length of the picture differs from the length in the message; both are in bytes.
    case pictureSize(said: Int, found: Int)
    /// The format of the picture differs from the media type in the message.
    case pictureType(said: String, found: String)
    /// The message says that the bytes are a picture, and they are not.
    case notAPicture(said: String)
    /// The media type is of neither a picture nor a sound nor a movie.
    case unknownMedia(String)
    /// The sound or movie could not be written to a file here.
    case mediaNotKept(String)
}

extension MessageFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .unreadable: "The message cannot be read here."
        case .againstTheRules(let fault): "The move does not count. \(fault)"
        case .ended: "The session has ended."
        case .badURL: "The URL of the message is not valid."
        case .urlTooLong(let count): "The URL has \(count) characters, which is too long."
        case .pictureMissing: "The picture has not arrived yet."
        case .pictureSize(let said, let found):
            "The picture has \(found) bytes instead of \(said)."
        case .pictureType(let said, let found): "The picture is \(found) instead of \(said)."
        case .notAPicture(let said): "The bytes should be \(said) and are not a picture."
        case .unknownMedia(let type): "The message has \(type) in place of a picture."
        case .mediaNotKept(let reason): "The sound or movie cannot be kept: \(reason)"
        }
    }
}
