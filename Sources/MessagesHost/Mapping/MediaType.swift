/// The media types of files other than pictures.
enum MediaType {
    private static let media = [
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav",
        "caf": "audio/x-caf", "ogg": "audio/ogg", "flac": "audio/flac",
    ]

    /// The type of a sound or a movie; nil for anything else.
    static func ofMedia(fileExtension: String) -> String? {
        media[fileExtension.lowercased()]
    }

    /// The type of a file of which nothing is known.
    static let ofFile = "application/octet-stream"

    /// The type of any file.
    static func of(fileExtension: String) -> String {
        switch fileExtension.lowercased() {
        case "txt": "text/plain"
        case "pdf": "application/pdf"
        case let other: media[other] ?? ofFile
        }
    }

    /// The extension for a sound or a movie of that type; nil for anything else.
    static func fileExtension(ofMedia type: String) -> String? {
        media.filter { $0.value == type.lowercased() }.keys.min()
    }
}
