public import Foundation

/// A layout for a message that the receiver's app draws itself, in a `.transcript` controller.
open class MSMessageLiveLayout: MSMessageLayout {
    /// The layout that is shown where the app is missing.
    open private(set) var alternateLayout: MSMessageTemplateLayout

    /// A layout with `alternateLayout` for people without the app.
    public init(alternateLayout: MSMessageTemplateLayout) {
        self.alternateLayout = alternateLayout
        super.init()
    }

    /// Another layout with a copy of the alternate.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let alternate = alternateLayout.copy() as? MSMessageTemplateLayout
        return MSMessageLiveLayout(alternateLayout: alternate ?? alternateLayout)
    }
}
