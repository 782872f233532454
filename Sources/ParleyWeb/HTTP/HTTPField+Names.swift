import Hummingbird

/// A field of a request or response.
typealias HTTPField = HTTPFields.Element

extension HTTPField.Name {
    static let lastEventID = known("Last-Event-ID")
    /// The version of the page that a response belongs to.
    static let parleyVersion = known("X-Parley-Version")
    static let purpose = known("Purpose")
    static let xPurpose = known("X-Purpose")
    static let xMoz = known("X-Moz")
    static let secPurpose = known("Sec-Purpose")
    static let secFetchSite = known("Sec-Fetch-Site")
    static let secFetchDestination = known("Sec-Fetch-Dest")
    static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")

    /// The name `text`, which must be a token of HTTP.
    private static func known(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("not a name: \(text)") }
        return name
    }
}
