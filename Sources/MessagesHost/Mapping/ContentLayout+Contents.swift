package import Messages
package import ParleyNode

extension ContentLayout {
    private typealias ContentsPath = any WritableKeyPath<TemplateContents, String?> & Sendable

    /// The texts of a layout, here and in what an app hands over.
    private static let pairs: [(TextPath, ContentsPath)] = [
        (\.caption, \.caption), (\.subcaption, \.subcaption),
        (\.trailingCaption, \.trailingCaption), (\.trailingSubcaption, \.trailingSubcaption),
        (\.imageTitle, \.imageTitle), (\.imageSubtitle, \.imageSubtitle),
    ]

    /// Makes the layout that an app hands over, without its picture.
    package init(_ contents: LayoutContents) {
        self.init()
        for (here, there) in Self.pairs {
            self[keyPath: here] = contents.template[keyPath: there]
        }
        if case .live = contents { isLive = true }
    }

    /// The texts as an app sees them.
    var template: TemplateContents {
        var template = TemplateContents()
        for (here, there) in Self.pairs { template[keyPath: there] = self[keyPath: here] }
        return template
    }
}
