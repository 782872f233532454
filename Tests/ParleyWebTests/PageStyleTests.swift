import NIOCore
import ParleyWeb
import Testing

/// The style sheets of the page become shorter and mean the same.
@Suite struct PageStyleTests {
    @Test func commentsAndSpacesAreLeftOut() {
        let style = PageStyle(
            """
            /* The page,
               as it is. */
            .page > .bar, .bar :is(h1, p) {
                margin: 0 calc(2px + 1em);
                content: "";
            }

            @media (min-width: 900px) and (hover: hover) {
                a:hover { color: red; }
            }
            """
        )
        #expect(
            style.text.trimmingPrefix(" ") == #"""
                .page > .bar,.bar :is(h1,p){margin:0 calc(2px + 1em);content:""}\#
                @media (min-width:900px) and (hover:hover){a:hover{color:red}}
                """#
        )
    }

    /// A quoted text with a separating sign and a space would become another text.
    @Test func noQuotedTextOfThePageIsChanged() throws {
        let style = try #require(PageAsset.all["page.css"])
        let text = String(buffer: style.bytes)
        #expect(!text.contains("/*"))
        #expect(text.count { $0 == "{" } == text.count { $0 == "}" })
        let quoted = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        #expect(quoted.count > 5)
        #expect(quoted.filter { $0.contains(/[{};,:]/) } == [])
    }
}
