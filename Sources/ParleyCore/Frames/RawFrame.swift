/// A whole frame whose body was not decoded yet.
package struct RawFrame: Sendable, Equatable {
    package let type: UInt8
    package let body: Slice

    package init(type: UInt8, body: Slice) {
        self.type = type
        self.body = body
    }
}
