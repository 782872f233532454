import ParleyWeb
import Testing

/// Answers have their time as RFC 9110 wants it.
@Suite struct HTTPDateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
    ])
    func timesAreTexts(_ seconds: Int, _ text: String) {
        #expect(HTTPDate.text(seconds) == text)
    }
}
