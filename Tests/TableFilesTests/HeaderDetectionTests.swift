import TableFiles
import Testing

@Suite("The header of delimited files is detected")
struct HeaderDetectionTests {
    private func detect(
        _ text: String,
        _ options: ImportOptions = ImportOptions(),
        usual: DelimitedDialect = .commaSeparated
    ) -> DelimitedDialect {
        let bytes = Array(text.utf8)
        return DelimitedDialect.detect(in: bytes.span, usual: usual, options: options)
    }

    @Test(
        "a first line with the kinds of the other lines is a row and no header",
        arguments: [
            "1,Ada,36\n2,Bo,41\n", "Ada,36\nBo,41\nCy,12\n", "5.1,3.5,setosa\n4.9,3.0,setosa\n",
            "3,1,2\n5,6,7\n8,9,1\n", "1.5\n2.5\n", "17\n18\n", "1990\n1991\n1992\n",
            "Ada,1815,1852\nBo,1912,1954\n", "2024-01-01,a\n2024-01-02,b\n",
            "14.03.2024;x\n15.03.2024;y\n", "true,a\nfalse,b\n", "$20,a\n$1,b\n", "1,NA\n2,5\n",
            " 1,Ada\n 2,Bo\n",
        ]
    )
    func rows(text: String) {
        #expect(!detect(text).hasHeader)
        var options = ImportOptions()
        options.hasHeader = true
        #expect(detect(text, options).hasHeader)
    }

    @Test(
        "texts above numbers, years, and numbers in equal steps name columns",
        arguments: [
            "a,b\n1,2\n", "Country,2010,2011\nFrance,1.2,3.4\n", "country,2000,2001\nFrance,7,8\n",
            "2024\n17\n", "0,1,2\n5,6,7\n8,9,1\n", ",0,1\n0,5.1,3.5\n1,4.9,3.0\n",
            "country,0,5,10\nFrance,3,4,5\n", "rank,0.25,0.5\n1,3.4,2\n", "1.5,x\na,b\n",
            "year,2000-01-01\n7,1.5\n", "1.5,2\n", "", "name,city\nAda,Rome\n",
        ]
    )
    func headers(text: String) {
        #expect(detect(text).hasHeader)
        var options = ImportOptions()
        options.hasHeader = false
        #expect(!detect(text, options).hasHeader)
    }

    @Test(
        "a header is in doubt if nothing but its place makes it one",
        arguments: [
            ("Ada,London\nBo,Rome\nCy,London\n", .repeatedValue("London")),
            ("Ada,,x\nBo,Rome,y\n", .emptyName), ("1,Ada,36\n", .numbers),
            ("0,1,2\n5,6,7\n8,9,1\n", .numbers), ("name,city\nAda,Rome\n", nil),
            ("id,city\n1,city\n", nil), (",0,1\n0,5.1,3.5\n1,4.9,3.0\n", nil),
            ("country,2000\nFrance,7\n", nil),
        ] as [(String, HeaderDoubt?)]
    )
    func doubts(text: String, doubt: HeaderDoubt?) {
        let found = detect(text)
        #expect(found.hasHeader && found.headerDoubt == doubt)
    }

    @Test(
        "lines that begin with # before the header are comments, unless they have the form of rows",
        arguments: [
            ("# one, two\n#\n\nid,name\n1,Ada\n# x\n2,Bo\n", true, 0),
            ("\u{FEFF}#x\nid;name\n1;Ada\n", true, 0), ("#id,name\n1,Ada\n", false, 0),
            ("# a\n# id,name\n1,Ada\n2,Bo\n", false, 1),
            ("# palette\nhex,name\n#ff0000,red\n", false, 1), ("#a\n#b\nc\n", false, 0),
            ("id,name\n#1,Ada\n", false, 0),
        ]
    )
    func comments(text: String, areFound: Bool, skipped: Int) {
        let found = detect(text)
        #expect(found.comment == (areFound ? UInt8(ascii: "#") : 0))
        #expect(found.skippedLines == skipped)
        var options = ImportOptions()
        options.comment = 0
        #expect(detect(text, options).comment == 0)
        options.comment = UInt8(ascii: "#")
        #expect(detect(text, options).comment == UInt8(ascii: "#"))
    }

    @Test(
        "blanks before quotation marks are found where each such field ends with a mark",
        arguments: [
            ("a,b\n0, \"x, y\"\n", true), ("a,b\n0, \"x\"\n1,  \"y\"", true),
            ("a,b\n0,\"x, y\"\n", false), ("a,b\n0, \"x\" y\n", false), ("a,b\n0, x\n", false),
        ]
    )
    func paddedQuotes(text: String, areFound: Bool) {
        #expect(detect(text).hasPaddedQuotes == areFound)
    }

    @Test(
        "texts that begin at one position of all lines are columns of fixed width",
        arguments: [
            ("id  name  city\n1   Ada   London\n2   Bo    Rome\n", true),
            ("To be or not to be\nthat is the question\nwhether it is\n", false),
            ("a b\nc d\n1 2\n", false), ("id  name\n1   Ada\n", false),
            ("id,n  m\n1,a  b\n2,c  d\n", false),
        ]
    )
    func fixedWidth(text: String, isFound: Bool) {
        #expect(detect(text).hasFixedWidth == isFound)
    }
}
