/// Why what a peer wrote is not given to an app: nothing of it is, then.
public enum MessageFault: Error, Hashable, Sendable {
    /// It does not open with the conversation's key, or is not what a message must be.
    case unreadable
    /// It ends its session and says nothing.
    case ended
    /// No URL reads exactly so.
    case badURL
    /// The URL has so many characters, too many.
    case urlTooLong(Int)
    /// The picture has not arrived yet.
    case pictureMissing
    /// The picture has another length than the message says, in bytes.
    case pictureSize(said: Int, found: Int)
    /// The picture is of another kind than the message says.
    case pictureType(said: String, found: String)
    /// The bytes are no picture, whatever the message says.
    case notAPicture(said: String)
    /// Something other than a picture, a sound or a movie.
    case unknownMedia(String)
    /// A sound or movie that cannot be kept as a file here.
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
