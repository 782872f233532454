import NIOCore
import ParleyWeb
import Testing

/// The modules of the page become one script.
@Suite struct PageScriptTests {
    @Test func aModuleBecomesAFunctionThatReturnsItsExports() {
        var script = PageScript()
        script.append("export const one = 1;\nexport async function more(x) {}\n")
        script.append(
            """
            import {
                more, one,
            } from "./sums.js";
            const two = one + one;
            """
        )
        #expect(
            script.text == """
                const{one,more}=(()=>{const one=1;async function more(x){}
                return{one,more};})();
                (()=>{const two=one + one;})();

                """
        )
    }

    @Test func anImportOfWhatIsNotThereStays() {
        var script = PageScript()
        script.append("export const one = 1;\n")
        script.append("import { one, more } from \"./sums.js\";\n")
        #expect(script.text.contains("import{one,more}"))
    }

    @Test func indentationAndLinesThatAreOnlyCommentsAreLeftOut() {
        var script = PageScript()
        let source = """
            // The module.
            /// A value.
                const two = 2;
            export const link = "https://example.org"; // As it is.

                // In a block.
            """
        script.append(source + "\n")
        #expect(
            script.text == """
                const{link}=(()=>{const two=2;
                const link = "https://example.org"; // As it is.
                return{link};})();

                """
        )
    }

    /// What separates by itself needs no space around it; what is quoted stays as it is.
    @Test(arguments: [
        (#"if (a < b && !c) { return [a, b]; }"#, #"if(a<b&&!c){return[a,b];}"#),
        (#"sum = a + +b - -c / d ** 2;"#, #"sum=a + +b - -c / d**2;"#),
        (#"say( "a, b \" ( c" );"#, #"say("a, b \" ( c");"#),
        (#"say( `${a} of ${b.map( c )} , ` );"#, #"say(`${a} of ${b.map( c )} , `);"#),
    ])
    func spacesThatSeparateNothingAreLeftOut(line: String, short: String) {
        var script = PageScript()
        script.append(line + "\n")
        #expect(script.text.contains(short), "\(script.text)")
    }

    @Test(arguments: [
        #"title = `${n ? `(${n}) , ` : ""}${name}`;"#, #"text.split( /[,;] / );"#,
        #"const at = 1; // as , it is"#, #"say( 'it' , 2 );"#,
    ])
    func aLineThatIsNotUnderstoodStays(line: String) {
        var script = PageScript()
        script.append("one();\n\(line)\ntwo();\n")
        #expect(script.text.contains("\n\(line)\n"), "\(script.text)")
    }

    /// The next line of a string would be taken for a comment if it began like one.
    @Test func noStringOfThePageHasSeveralLines() throws {
        let page = try #require(PageAsset.all["page.js"])
        let lines = String(buffer: page.bytes).split(separator: "\n")
        #expect(lines.count > 100)
        for line in lines {
            #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(line)")
        }
    }

    /// A statement that is not understood would end the whole page with an error of syntax, and so
    /// does the import of a module that comes later.
    @Test func noStatementOfThePageIsLeft() throws {
        let page = try #require(PageAsset.all["page.js"])
        let lines = String(buffer: page.bytes).split(separator: "\n")
        #expect(lines.count > 100)
        let left = /\b(import|export)\b *[{*\w]/
        #expect(lines.filter { $0.contains(left) } == [])
    }

    /// A name that two modules export would end the page as well.
    @Test func noNameIsExportedTwice() throws {
        let page = try #require(PageAsset.all["page.js"])
        let lines = String(buffer: page.bytes).split(separator: "\n")
        let names = lines.compactMap { $0.firstMatch(of: /^const\{([\w,]+)\}=\(\(\)=>/)?.1 }
            .flatMap { $0.split(separator: ",") }
        #expect(names.count > 100)
        #expect(names.count == Set(names).count)
    }
}
