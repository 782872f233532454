/// A collection of usually one element, which is kept without an allocation.
///
/// Everything is inlinable, so that other targets use the code specialized for `Element`.
@frozen
@usableFromInline
package struct Few<Element> {
    @usableFromInline var head: Element?
    @usableFromInline var rest: [Element] = []

    @inlinable
    package init() {}

    @inlinable
    package init(only element: Element) {
        head = element
    }
}

extension Few: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    @inlinable
    package var startIndex: Int { 0 }
    @inlinable
    package var endIndex: Int { head == nil ? 0 : 1 + rest.count }

    @inlinable
    package subscript(index: Int) -> Element {
        get {
            guard index == 0, let head else { return rest[index - 1] }
            return head
        }
        set {
            if index == 0, head != nil { head = newValue } else { rest[index - 1] = newValue }
        }
    }

    @inlinable
    package mutating func append(_ element: Element) {
        if head == nil { head = element } else { rest.append(element) }
    }

    /// Leaves only this element.
    @inlinable
    package mutating func replaceAll(byOnly element: Element) {
        head = element
        if !rest.isEmpty { rest = [] }
    }

    @inlinable
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
    @inlinable
    package init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension Few: Equatable where Element: Equatable {}
extension Few: Sendable where Element: Sendable {}
