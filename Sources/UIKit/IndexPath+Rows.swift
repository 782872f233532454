public import Foundation

/// UIKit's names for the two numbers of a place in a table or a grid.
///
/// As with Apple's class, reading a number of a path of another length is a program error.
extension IndexPath {
    /// A place in a table.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// A place in a grid.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The number of the section.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The number of the row in its section.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The number of the item in its section.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
