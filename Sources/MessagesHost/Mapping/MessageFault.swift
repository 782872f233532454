/// Why a message is not given to an app; the app then gets no part of it.
public enum MessageFault: Error, Hashable, Sendable {
    /// The body cannot be opened with the conversation's key, or cannot be decoded.
    case unreadable
    /// The message is a tombstone, which ends its session and has no contents.
    case ended
    /// The text of the URL is not exactly that of a URL.
    case badURL
    /// The URL has too many characters; the value is their number.
    case urlTooLong(Int)
    /// The picture has not arrived yet.
    case pictureMissing
    /// The length of the picture differs from the one in the message; both are in bytes.
    case pictureSize(said: Int, found: Int)
    /// The format of the picture differs from the media type in the message.
    case pictureType(said: String, found: String)
    /// The message says that the bytes are a picture, and they are not.
    case notAPicture(said: String)
    /// The media type is not one of a picture, a sound or a movie.
    case unknownMedia(String)
    /// The sound or movie could not be written to a file here.
    case mediaNotKept(String)
}

extension MessageFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .unreadable: "The message cannot be read here."
        case .ended: "The session has ended."
        case .badURL: "The message has a URL that is none."
        case .urlTooLong(let count): "The message has a URL of \(count) characters."
        case .pictureMissing: "The picture has not arrived yet."
        case .pictureSize(let said, let found):
            "The picture should have \(said) bytes and has \(found)."
        case .pictureType(let said, let found): "The picture should be \(said) and is \(found)."
        case .notAPicture(let said): "The picture should be \(said) and is no picture."
        case .unknownMedia(let type): "The message has \(type) where its picture should be."
        case .mediaNotKept(let reason): "The sound or movie cannot be kept: \(reason)"
        }
    }
}
