/// The value of an attribute of a toxic.
package enum AttributeValue: Hashable, Sendable {
    case integer(Int64)
    case number(Double)
    case word(String)
}
