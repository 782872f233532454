public import Foundation

/// How a message looks: one of its two subclasses, never itself.
open class MSMessageLayout: NSObject, NSCopying {
    /// Another layout with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        MSMessageLayout()
    }
}
