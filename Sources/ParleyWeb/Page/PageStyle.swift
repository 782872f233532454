/// The style sheets of the page without what only people who read them need.
///
/// Comments are left out, and the spaces beside signs that separate by themselves. The sheets are
/// written so that no quoted text contains such a sign with a space beside it.
package struct PageStyle {
    package let text: String

    package init(_ source: String) {
        text = source.replacing(#/\/\*[\s\S]*?\*\//#, with: "")
            .replacing(#/\s+/#, with: " ")
            .replacing(#/ ?([{};,]) ?/#) { $0.output.1 }
            // A space before a colon stands between a selector and a part of what it selects.
            .replacing(": ", with: ":")
            .replacing(";}", with: "}")
    }
}
