package import Foundation

/// A request to create a conversation.
package struct CreateDocument: Codable, Hashable, Sendable {
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

/// A request to join a conversation.
package struct JoinDocument: Codable, Hashable, Sendable {
    package var link: String
    /// The name on this node; the default is the name in the invite.
    package var name: String?

    package init(link: String, name: String?) {
        self.link = link
        self.name = name
    }
}

/// A request for an invite.
package struct InviteRequest: Codable, Hashable, Sendable {
    package var role: String

    package init(role: String) {
        self.role = role
    }
}

/// A message to send; the fields have the names of the options of `parley send`.
package struct SendDocument: Codable, Hashable, Sendable {
    package var url: String?
    package var session: String?
    package var caption: String?
    package var subcaption: String?
    package var trailingCaption: String?
    package var trailingSubcaption: String?
    package var imageTitle: String?
    package var imageSubtitle: String?
    /// The path of the picture, which only the command reads and never the node.
    package var image: String?
    /// The bytes of the picture (base64 in JSON); `imageType` is their media type.
    package var imageData: Data?
    package var imageType: String?
    /// Whether the picture keeps what it tells about place, time and camera.
    package var keepMetadata: Bool?
    package var summary: String?
    package var accessibilityLabel: String?
    package var app: String?
    package var next: [String]?
    package var replacing: [String]?
    /// The condition to wait for: `stored` or `delivered=N`.
    package var wait: String?
    /// The timeout in seconds; the default is 10.
    package var timeout: Double?

    package enum CodingKeys: CodingKey, CaseIterable {
        case url, session, caption, subcaption, trailingCaption, trailingSubcaption, imageTitle
        case imageSubtitle, image, imageData, imageType, keepMetadata, summary
        case accessibilityLabel, app, next, replacing, wait, timeout
    }

    package init() {}
}
