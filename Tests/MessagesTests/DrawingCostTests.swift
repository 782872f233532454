import Foundation
import Messages
import Testing

/// A drawing (SVG) costs a browser no more than what is written in it.
@Suite struct DrawingCostTests {
    private func error(_ body: String, root: String = "") -> ImageError? {
        do throws(ImageError) {
            _ = try EncodedImage(Data("<svg width='9' height='9' \(root)>\(body)</svg>".utf8))
            return nil
        } catch {
            return error
        }
    }

    /// Regression: a drawing of 2 KB, each level of which draws the one before ten times, stopped
    /// the page of whoever looked at it.
    @Test func copiesOfCopiesAreRefused() {
        let levels = (1...8).map { level in
            "<g id='g\(level)'>"
                + String(repeating: "<use href='#g\(level - 1)'/>", count: 10) + "</g>"
        }
        let body = "<defs><circle id='g0' r='5'/>\(levels.joined())</defs><use href='#g8'/>"
        #expect(error(body) == .tooMuchToDraw)
    }

    @Test(arguments: [
        "<use href='#a'/>", "<x:use xmlns:x='http://www.w3.org/2000/svg' href='#a'/>", "<USE/>",
        "<use\n/>", "<use></use>", "<g><!-- > --><use/></g>", "<g a='>'/><use/>",
        "<![CDATA[ </svg> ]]><use/>", "<?a </svg> ?><use/>", "<pattern/>", "<mask/>", "<marker/>",
        "<symbol/>", "<filter/>", "<feImage/>", "<foreignObject/>", "<textPath/>", "<animate/>",
        "<animateTransform/>", "<set/>", "<image href='data:image/png;base64,AA=='/>",
        "<clipPath><clipPath/></clipPath>", "<clipPath clip-path='url(#a)'/>",
        "<clipPath><g clip-path='url(#a)'/></clipPath>", "<g filter='blur(9px)'/>",
        "<g mask='url(#a)'/>", "<g style='filter:blur(9px)'/>", "<g style='-webkit-filter: a'/>",
        "<g style='fil&#116;er:blur(9px)'/>", "<g style='f\\69lter:blur(9px)'/>",
        "<g style='fill:red;/**/FILTER/* */:blur(9px)'/>", "<g style='clip-path:url(#a)'/>",
        "<g style='fill:url(data:image/svg+xml,)'/>", "<g style='--a:1'/>", "<g style='a{}'/>",
        "<g style='fill:var(--a)'/>", "<g style='d:path(\"M0 0\")'/>", "<g style='fill:red/*'/>",
        "<style>a{filter:blur(9px)}</style>", "<style>a{fil<![CDATA[ter:blur(9px)]]>}</style>",
        "<style>a{fil<!-- -->ter:blur(9px)}</style>", "<style>a{animation:b 1s infinite}</style>",
        "<style>@keyframes b{from{fill:red}}</style>", "<style>@import 'a.css';</style>",
        "<style>@media all{a{mask:url(#a)}}</style>", "<style>a{b{fill:red}}</style>",
        "<style>a:has(b){fill:red}</style>", "<style>a~b{fill:red}</style>",
        "<path stroke-dasharray='.001' d='M0 0C1000 1 1000 100 0 300'/>",
        "<path stroke-dasharray='1e-9' d='M0 0h1'/>", "<path stroke-dasharray='1' d='M0 0h1e9'/>",
        "<g stroke-dasharray='1'/>", "<g style='stroke-dasharray:1'/>",
        "<path stroke-dasharray='1' d='M0 0h1e999'/>", "<rect stroke-dasharray='1%' width='9'/>",
        "<rect stroke-dasharray='1' width='900in'/>",
        "<line stroke-dasharray='1' pathLength='1e9'/>",
        "<style>a{stroke-dasharray:1 1}</style>", "<style>a[b='}']{fill:red}</style>",
        "<style>a{fill:red</style>", "<style><g/></style>",
    ])
    func whatCostsMoreThanItIsIsRefused(_ body: String) {
        #expect(error(body) == .tooMuchToDraw)
    }

    @Test func theRootHasNoEffectsEither() {
        #expect(error("", root: "style='filter:blur(9px)'") == .tooMuchToDraw)
        #expect(throws: ImageError.tooMuchToDraw) {
            try EncodedImage(Data("<svg width='9' height='9' filter='blur(9px)'/>".utf8))
        }
        #expect(throws: ImageError.tooMuchToDraw) {
            try EncodedImage(Data("<?xml-stylesheet href='data:text/css,a'?><svg/>".utf8))
        }
    }

    @Test(arguments: [
        "<linearGradient id='a'><stop offset='0'/><stop offset='1'/></linearGradient>",
        "<defs><clipPath id='a'><path d='M0 0h9v9'/></clipPath></defs><g clip-path='url(#a)'/>",
        "<g style='fill:url(#a);filter:none;color-interpolation-filters:linearRGB'/>",
        "<g style=\"font-family:'Sans';stroke-dashoffset:0;image-rendering:auto\"/>",
        "<style><![CDATA[ .a, #b c {fill:#fff} ]]></style><rect class='a'/>",
        "<style>/* a */ text{fill:red;}@media (prefers-color-scheme:dark){.x{fill:#fff}}</style>",
        "<metadata><rdf:RDF><cc:Work rdf:about=''/></rdf:RDF></metadata>",
        "<line stroke-dasharray='4 2' x1='0' x2='300'/>", "<g style='stroke-dasharray:none'/>",
        "<path stroke-dasharray='2,1.5' d='M10-5.5.5h3e1L40 40'/>", "<g opacity='.5'/>",
        "<path stroke-dasharray='0' d='M0 0h9'/>", "<style>a{opacity:.5;fill:url(#a)}</style>",
        "<g><!-- <use/> --></g>", "<text>&lt;use/&gt; <![CDATA[<use/>]]></text>", "<title/>",
    ])
    func whatDrawingsHaveIsShown(_ body: String) {
        #expect(error(body) == nil)
    }

    @Test func numbersHaveLimits() {
        func many(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }
        #expect(error(many(19_000, "<g/>")) == nil)
        #expect(error(many(20_000, "<g/>")) == .tooMuchToDraw)
        #expect(error(many(60, "<g>") + many(60, "</g>")) == nil)
        #expect(error(many(64, "<g>") + many(64, "</g>")) == .tooMuchToDraw)
        #expect(error(many(1_001, "<radialGradient/>")) == .tooMuchToDraw)
        #expect(error("<linearGradient>\(many(65, "<stop/>"))</linearGradient>") == .tooMuchToDraw)
        let shape = "<clipPath id='a'><path d='\(many(100_000, "M0 0L9 9"))'/></clipPath>"
        #expect(error(shape + many(10, "<g clip-path='url(#a)'/>")) == nil)
        #expect(error(shape + many(100, "<g clip-path='url(#a)'/>")) == .tooMuchToDraw)
        let sheet = "<style>\(many(1_000, "a b{fill:red}"))</style>"
        #expect(error(sheet + many(1_000, "<g/>")) == nil)
        #expect(error(sheet + many(3_000, "<g/>")) == .tooMuchToDraw)
        #expect(error(many(1_000, "<g opacity='.5'/>")) == nil)
        #expect(error(many(1_100, "<g opacity='1'/>")) == nil)
        #expect(error(many(1_001, "<g opacity='.5'/>")) == .tooMuchToDraw)
        #expect(error(many(1_001, "<g fill='url(#a)'/>")) == .tooMuchToDraw)
        #expect(error(many(1_001, "<g style='opacity: .5'/>")) == .tooMuchToDraw)
        #expect(error("<style>g{opacity:.5}</style>" + many(999, "<g/>")) == .tooMuchToDraw)
        #expect(error("<style>\(many(70_000, " "))</style>") == .tooMuchToDraw)
        #expect(error("<g stroke-dasharray='\(many(5_000, "1 "))'/>") == .tooMuchToDraw)
    }

    /// Each mark is read once: a large file takes the time of its bytes.
    @Test func filesOfManyMarksAreRead() {
        let size = 8 << 20
        for text in ["<!--", "<![CDATA[", "<?", "]]", "--", "<g a='", "&", "<style>/*", "</g"] {
            let body = String(repeating: text, count: size / text.utf8.count)
            let clock = ContinuousClock()
            let time = clock.measure { _ = error(body) }
            #expect(time < .seconds(60), "\(text)")
        }
    }
}
