public import Foundation

/// How a message looks; every layout is an instance of one of the two subclasses.
open class MSMessageLayout: NSObject, NSCopying {
    /// Another layout with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        MSMessageLayout()
    }
}
