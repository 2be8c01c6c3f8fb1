import Bytes
import JSON
import TableFiles
import Testing

@Suite("The form of files is detected")
struct FileDetectionTests {
    @Test(
        "separator, quotes, header line and row names",
        arguments: [
            ("a,b\n1,2\n", ",", true, 0, false),
            ("a;b\n1,5;2,5\n3,1;4\n", ";", true, 0, false),
            ("a\tb\n1\t2\n", "\t", true, 0, false),
            ("a|b|c\n1|2|3\n", "|", true, 0, false),
            ("\"a;b\";c\n\"1;2\";3\n", ";", true, 0, false),
            ("name, first\nO'Neil, Pat\n\"x;y\", z\n", ",", true, 0, false),
            ("only\n1\n2\n", ",", true, 0, false),
            ("Report of 2024\n\na,b,c\n1,2,3\n4,5,6\n7,8,9\n", ",", true, 2, false),
            ("mpg,cyl\nMazda,21,6\nFord,22,4\nFiat,30,4\n", ",", true, 0, true),
            ("Report\nid,name\n1,Ada\n", ",", true, 1, false),
            ("sep=;\r\na;b\r\n1;2\r\n", ";", true, 1, false),
            ("notes\na;b;c\nx;y;z\n", ";", true, 1, false),
            ("notes\na;b\nx;y", ";", true, 1, false), ("notes\na;b;c\n", ",", true, 0, false),
            ("a;b;c\nx;y;z", ";", true, 0, false),
            ("\u{FEFF}sep=|\na|b\n", "|", true, 1, false),
            ("", ",", true, 0, false),
        ]
    )
    func dialect(text: String, separator: String, isQuoting: Bool, skipped: Int, hasNames: Bool) {
        let bytes = Array(text.utf8)
        let found = DelimitedDialect.detect(in: bytes.span, usual: .commaSeparated)
        #expect([found.separator] == Array(separator.utf8))
        #expect(found.isQuoting == isQuoting)
        #expect(found.skippedLines == skipped)
        #expect(found.hasRowNames == hasNames)
    }

    @Test(
        "quotes of a tab-separated file count where each field that opens with one closes",
        arguments: [
            ("a\tb\n\"x\ty\"\t2\n", true), ("a\tb\n\"x\ny\"\t2\n", true),
            ("a\tb\n\"x\t2\n", false), ("a\tb\n5\"\t2\n", false), ("a\tb\n\"5\" pipe\t2\n", false),
        ]
    )
    func tabs(text: String, isQuoting: Bool) {
        let bytes = Array(text.utf8)
        let found = DelimitedDialect.detect(in: bytes.span, usual: .tabSeparated)
        #expect(found.isQuoting == isQuoting && found.separator == UInt8(ascii: "\t"))
    }

    @Test(
        "texts of other encodings become UTF-8, wherever their chunks end",
        arguments: [
            (
                TextEncoding.windows1252, [0x63, 0x61, 0x66, 0xE9, 0x80, 0x81],
                "caf\u{E9}\u{20AC}\u{FFFD}"
            ),
            (.utf16LittleEndian, [0x61, 0x00, 0x3D, 0xD8, 0x00, 0xDE, 0x0A, 0x00], "a\u{1F600}\n"),
            (.utf16BigEndian, [0x00, 0x61, 0xD8, 0x3D, 0xDE, 0x00], "a\u{1F600}"),
            (.utf16LittleEndian, [0x3D, 0xD8, 0x61, 0x00, 0x62], "\u{FFFD}a\u{FFFD}"),
        ] as [(TextEncoding, [UInt8], String)]
    )
    func decoding(encoding: TextEncoding, bytes: [UInt8], text: String) {
        for size in 1...bytes.count {
            var decoder = TextDecoder(encoding)
            var buffer = ByteBuffer()
            for start in stride(from: 0, to: bytes.count, by: size) {
                decoder.decode(
                    bytes.span.extracting(start..<min(start + size, bytes.count)),
                    into: &buffer
                )
            }
            let end: [UInt8] = []
            decoder.decode(end.span, into: &buffer)
            #expect(buffer.text() == text, "chunks of \(size)")
        }
    }

    @Test(
        "rows are found in documents of every shape",
        arguments: [
            (#"{"a":1}"#, "", [#"{"a":1}"#]),
            (#"{"n":2,"rows":[{"a":1},{"a":2}]}"#, "rows", [#"{"a":1}"#, #"{"a":2}"#]),
            (#"{"data":{"items":[{"a":1}]}}"#, "data.items", [#"{"a":1}"#]),
            (#"{"x":{"a":1},"y":{"a":2}}"#, "", [#"{"id":"x","a":1}"#, #"{"id":"y","a":2}"#]),
            (#"{"x":{"id":7},"y":{}}"#, "", [#"{"key":"x","id":7}"#, #"{"id":"y"}"#]),
            (#"{"a":[1,2],"b":[3,null]}"#, "", [#"{"a":1,"b":3}"#, #"{"a":2,"b":null}"#]),
            (#"[["a","b"],[1,2]]"#, "", [#"{"a":1,"b":2}"#]),
            (#"[[1,2],[3]]"#, "", [#"{"column_1":1,"column_2":2}"#, #"{"column_1":3}"#]),
            (#"[1,"x",null]"#, "", [#"{"value":1}"#, #"{"value":"x"}"#, #"{"value":null}"#]),
            ("{\n \"a\": 1\n}\n{\n \"a\": [ 2 ]\n}", "", [#"{"a":1}"#, #"{"a":[2]}"#]),
            (
                #"{"type":"FeatureCollection","features":[{"type":"Feature","id":3,"#
                    + #""properties":{"n":"x","id":1},"geometry":{"type":"Point"}}]}"#,
                "features", [#"{"id":3,"n":"x","properties.id":1,"geometry":{"type":"Point"}}"#]
            ),
            (
                #"{"type":"Topology","objects":{"land":{"type":"GeometryCollection","geometries":"#
                    + #"[{"type":"Polygon","arcs":[[1]],"properties":{"n":1}}]}},"arcs":[]}"#,
                "objects", [#"{"object":"land","type":"Polygon","n":1}"#]
            ),
            (
                #"[["a","b"],["c",null]]"#, "",
                [
                    #"{"column_1":"a","column_2":"b"}"#, #"{"column_1":"c","column_2":null}"#,
                ]
            ),
            (#"{"a":[NaN],"b":[-Infinity]}"#, "", [#"{"a":null,"b":null}"#]),
            (#"{"a":[[1,NaN,-1]]}"#, "", [#"{"a":[[1,null,-1]]}"#]),
        ]
    )
    func rows(document: String, path: String, lines: [String]) throws {
        let rows = try JSONRows(Array(document.utf8))
        #expect(rows.path == path)
        #expect(String(decoding: rows.lines, as: UTF8.self) == lines.map { $0 + "\n" }.joined())
    }

    @Test(
        "a table of pandas has its rows and columns, and labels that do not count the rows",
        arguments: [
            (
                #"{"a":{"0":1,"1":null},"b":{"0":"x","1":NaN}}"#, .columns,
                [#"{"a":1,"b":"x"}"#, #"{"a":null,"b":null}"#]
            ),
            (#"{"a":{"0":1}}"#, .columns, [#"{"a":1}"#]),
            (
                #"{"n":{"k":1,"l":2},"s":{"k":"x","l":null}}"#, .columns,
                [#"{"id":"k","n":1,"s":"x"}"#, #"{"id":"l","n":2,"s":null}"#]
            ),
            (
                #"{"id":{"3":1,"8":2},"b":{"3":true,"8":false}}"#, .columns,
                [#"{"key":"3","id":1,"b":true}"#, #"{"key":"8","id":2,"b":false}"#]
            ),
            (
                #"{"k":{"n":1,"s":"x"},"l":{"n":2,"s":"y"}}"#, nil,
                [#"{"id":"k","n":1,"s":"x"}"#, #"{"id":"l","n":2,"s":"y"}"#]
            ),
            (
                #"{"a":{"x":1},"b":{"x":2}}"#, .undecided,
                [#"{"id":"a","x":1}"#, #"{"id":"b","x":2}"#]
            ),
            (#"{"a":{},"b":{}}"#, .undecided, [#"{"id":"a"}"#, #"{"id":"b"}"#]),
            (#"{"a":{"x":1},"b":{"y":2}}"#, nil, [#"{"id":"a","x":1}"#, #"{"id":"b","y":2}"#]),
            (#"{"v":{"k":1,"l":2}}"#, .undecided, [#"{"v":{"k":1,"l":2}}"#]),
            (
                #"{"0":{"n":1,"s":"x"},"1":{"n":2,"s":"y"}}"#, nil,
                [
                    #"{"n":1,"s":"x"}"#, #"{"n":2,"s":"y"}"#,
                ]
            ),
            (#"{"0":{"n":1,"s":"x"}}"#, nil, [#"{"n":1,"s":"x"}"#]),
            (
                #"{"0":{"0":1,"1":2},"1":{"0":3,"1":4}}"#, .undecided,
                [
                    #"{"0":1,"1":2}"#, #"{"0":3,"1":4}"#,
                ]
            ),
            (#"{"0":1,"1":null}"#, nil, [#"{"value":1}"#, #"{"value":null}"#]),
            (
                #"{"columns":["a",0],"index":[0,1],"data":[[1,"x"],[2,NaN]]}"#, nil,
                [
                    #"{"a":1,"0":"x"}"#, #"{"a":2,"0":null}"#,
                ]
            ),
            (
                #"{"columns":["a","b"],"data":[[1,2],[3,4]]}"#, nil,
                [
                    #"{"a":1,"b":2}"#, #"{"a":3,"b":4}"#,
                ]
            ),
            (#"{"columns":["a"],"index":["k"],"data":[[1]]}"#, nil, [#"{"id":"k","a":1}"#]),
            (#"{"columns":["a"],"data":[{"a":1}]}"#, nil, [#"{"a":1}"#]),
            (
                #"{"columns":["a"],"index":[["k",1]],"data":[[1]]}"#, nil,
                [
                    #"{"index":["k",1],"a":1}"#
                ]
            ),
            (
                #"{"schema":{"fields":[{"name":"index"}],"primaryKey":["index"]},"#
                    + #""data":[{"index":0,"a":1},{"index":1,"a":NaN}]}"#, nil,
                [#"{"a":1}"#, #"{"a":null}"#]
            ),
            (
                #"{"schema":{"fields":[{"name":"index"}]},"data":[{"index":"k","a":1}]}"#, nil,
                [#"{"index":"k","a":1}"#]
            ),
        ] as [(String, JSONShape?, [String])]
    )
    func frames(document: String, shape: JSONShape?, lines: [String]) throws {
        let rows = try JSONRows(Array(document.utf8))
        #expect(rows.shape == shape && rows.lists.isEmpty)
        #expect(String(decoding: rows.lines, as: UTF8.self) == lines.map { $0 + "\n" }.joined())
    }

    @Test("NaN in a document is counted, with its position in the file")
    func nonFinite() throws {
        let rows = try JSONRows(
            Array("\u{FEFF}{\"n\": 1,\n \"rows\": [{\"é\": NaN, \"b\": [-Infinity]}]}".utf8)
        )
        #expect(
            rows.repairs.counts.map { "\($0.kind) \($0.count) \($0.first)" } == ["nonFinite 2 2:17"]
        )
    }

    @Test(
        "rows are at the path that is given, or in one of several lists",
        arguments: [
            (#"{"a":[{"x":1}],"b":{"c":[{"x":1},{"x":2}]}}"#, nil, "", ["a", "b.c"], ""),
            (#"{"a":[{"x":1}],"b":{"c":[{"x":3}]}}"#, "b.c", "b.c", [], #"{"x":3}"#),
            (#"{"a":[{"x":1}],"b":{"c":[{"x":3}]}}"#, "b", "b.c", [], #"{"x":3}"#),
            (#"{"a.b":{"c":[[1]]}}"#, "a.b.c", "a.b.c", [], #"{"column_1":1}"#),
            (#"{"d":{"a":[{"x":1}],"b":[{"x":2}]}}"#, "d", "d", ["d.a", "d.b"], ""),
        ] as [(String, String?, String, [String], String)]
    )
    func lists(document: String, path: String?, found: String, lists: [String], line: String) throws
    {
        let rows = try JSONRows(Array(document.utf8), at: path)
        #expect(rows.path == found && rows.lists == lists)
        #expect(String(decoding: rows.lines, as: UTF8.self) == (line.isEmpty ? "" : line + "\n"))
    }

    @Test("each of several lists is selected without reading the document again")
    func selecting() throws {
        let document = #"{"a":[{"x":1},{"x":2}],"b":{"c":[{"y":3}]}}"#
        let rows = try JSONRows(Array(document.utf8))
        for list in rows.lists {
            let selected = try rows.selecting(list)
            let read = try JSONRows(Array(document.utf8), at: list)
            #expect(selected.path == list && selected.lines == read.lines)
            #expect(selected.lists.isEmpty && !selected.lines.isEmpty)
        }
        let single = try JSONRows(Array(#"{"a":[{"x":1}]}"#.utf8))
        #expect(try single.selecting("a").lines == single.lines)
        #expect(throws: FileError(.noRows(at: "x", lists: ["a", "b.c"]), at: .start)) {
            _ = try rows.selecting("x")
        }
    }

    @Test("a path without a value is an error that names the lists")
    func missingPath() {
        #expect(throws: FileError(.noRows(at: "x.y", lists: ["a"]), at: .start)) {
            _ = try JSONRows(Array(#"{"x":1,"a":[{"b":1}]}"#.utf8), at: "x.y")
        }
    }

    @Test(
        "a decimal comma is found where no number has a point",
        arguments: [
            ("a;b\n1,5;x\n", true), ("a;b\n1.234,50;x\n", true), ("a;b\n1,5;2.5\n", false),
            ("a;b\n1.234;x\n", false), ("a,b\n\"1,5\",x\n", false), ("a\tb\n-1,5\tx\n", true),
            ("a;b\nA1,5;1,2,3\n", false),
            // Commas before three digits may stand between groups.
            ("a;b\n1,186;2\n", false), ("a;b\n1,186;2,5\n", true), ("a;b\n0,186;2\n", true),
            ("a;b\n1,5;1,234,567\n", false), ("a;b\n1,5;1,234.5\n", false),
        ]
    )
    func decimalComma(text: String, isFound: Bool) {
        let bytes = Array(text.utf8)
        let found = DelimitedDialect.detect(in: bytes.span, usual: .commaSeparated)
        #expect(found.hasDecimalComma == isFound)
    }

    @Test(
        "lines of text with commas are one column",
        arguments: [
            ("quotes\nTo be, or not to be\nHello, world\n", true),
            ("quotes\nTo be, or not, to be\nHello\nA, b\n", true),
            ("One, two\nthree\nfour, five, six\n", true),
            ("Report\nid,name\n1,Ada\n", false), ("Report\nid, name\n1, Ada\n2, Bo\n", false),
            ("name, city\nAda, London\nBo, Rome\n", false), ("a\nb\n", false),
        ]
    )
    func prose(text: String, isProse: Bool) {
        let bytes = Array(text.utf8)
        let found = DelimitedDialect.detect(in: bytes.span, usual: .commaSeparated)
        #expect((found.separator == DelimitedDialect.noSeparator) == isProse)
    }

    @Test(
        "several objects in the first line are several documents",
        arguments: [
            (#"{"a":1}{"a":2}"#, true), ("{\"a\":1}\r{\"a\":2}\r", true),
            (#"{"a":"}{"} "#, false), (#"{"a":{"b":1}}"#, false), (#"{"a":1} x"#, false),
        ]
    )
    func objectsInLine(text: String, areSeveral: Bool) {
        let bytes = Array(text.utf8)
        let layout = JSONReader.Layout.detect(in: bytes.span, isNDJSON: true)
        #expect((layout == nil) == areSeveral)
    }

    @Test("the options of the form win over what is found")
    func options() {
        let bytes = Array("x|y\na;b,c\n1;2,3\n".utf8)
        var options = ImportOptions()
        options.delimiter = UInt8(ascii: ",")
        options.skippedLines = 1
        options.quote = UInt8(ascii: "'")
        options.hasDecimalComma = true
        let found = DelimitedDialect.detect(
            in: bytes.span,
            usual: .commaSeparated,
            options: options
        )
        #expect(found.separator == UInt8(ascii: ",") && found.skippedLines == 1)
        #expect(found.quote == UInt8(ascii: "'") && found.hasDecimalComma)
        var skipped = ImportOptions()
        skipped.skippedLines = 1
        let detected = DelimitedDialect.detect(
            in: bytes.span,
            usual: .tabSeparated,
            options: skipped
        )
        #expect(detected.separator == UInt8(ascii: ","))
    }

    @Test(
        "a file without a known ending is told by its contents",
        arguments: [
            ("SQLite format 3\0....", .database), ("[{}]", .json), (" \n{\"a\":1}", .json),
            ("a,b\n", .csv), ("", .csv), ("a\u{1}b", nil), ("PK\u{3}\u{4}\0", nil),
        ] as [(String, FileFormat?)]
    )
    func contents(text: String, format: FileFormat?) {
        let bytes = Array(text.utf8)
        #expect(FileFormat(contents: bytes.span) == format)
    }

    @Test("an error of a document has its position")
    func broken() {
        #expect(
            throws: FileError(
                .unexpectedEnd(expected: .value),
                at: FileLocation(line: 2, column: 5)
            )
        ) {
            _ = try JSONRows(Array("{\n\"a\":".utf8))
        }
    }

    @Test(
        "documents that can be read record by record are",
        arguments: [
            ("[{\"a\":1}]", false, .array), ("[]", false, .array), (" [ \n {", false, .array),
            ("", false, .array), ("{\"a\":1}\n{\"a\":2}\n", false, .lines),
            ("{\"a\":1}", false, nil), ("[[1]]", false, nil), ("[1]", false, nil),
            ("{\"a\":1}", true, .lines), ("{\n\"a\":1}", true, nil), ("[{\"a\":1}]", true, nil),
            ("", true, .lines),
        ] as [(String, Bool, JSONReader.Layout?)]
    )
    func layouts(text: String, isNDJSON: Bool, layout: JSONReader.Layout?) {
        let bytes = Array(text.utf8)
        #expect(JSONReader.Layout.detect(in: bytes.span, isNDJSON: isNDJSON) == layout)
    }
}
