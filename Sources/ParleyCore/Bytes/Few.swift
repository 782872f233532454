/// A collection that nearly always has one element, and so keeps the first one without an
/// allocation.
package struct Few<Element> {
    private var head: Element?
    private var rest: [Element] = []

    package init() {}

    package init(only element: Element) {
        head = element
    }
}

extension Few: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { head == nil ? 0 : 1 + rest.count }

    package subscript(index: Int) -> Element {
        get {
            guard index == 0, let head else { return rest[index - 1] }
            return head
        }
        set {
            if index == 0, head != nil { head = newValue } else { rest[index - 1] = newValue }
        }
    }

    package mutating func append(_ element: Element) {
        if head == nil { head = element } else { rest.append(element) }
    }

    package mutating func replaceSubrange(
        _ range: Range<Int>,
        with elements: some Collection<Element>
    ) {
        var all = Array(self)
        all.replaceSubrange(range, with: elements)
        head = all.first
        rest = Array(all.dropFirst())
    }
}

extension Few: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension Few: Equatable where Element: Equatable {}
extension Few: Sendable where Element: Sendable {}
