import TableFiles
import TestSupport
import Testing

@testable import RemoteLists

@Suite("Documents with rows inside")
struct DocumentTests {
    /// Documents, with their rows and the address of the next page below them.
    ///
    /// What is no resource object keeps its members, and cells with an id of their own get no other.
    private static let documents = InputRow.table(
        #"""
        [{"a":1}]
          [{"a":1}]
        {"data":[{"a":1}],"links":{"next":"/2"}}
          [{"a":1}]
          /2
        {"results":[ {"a" : [1,{}]} , {}],"next":"\/2\u0026","count":9}
          [{"a" : [1,{}]},{}]
          /2&
        {"_links":{"next":{"href":"?p=2","x":1}},"items":[]}
          []
          ?p=2
        {"people":[{"a":1}],"next":null}
          [{"a":1}]
        {"tags":[1],"rows":[{"a":1}]}
          [{"a":1}]
        {"data":[{"type":"t","id":"7","attributes":{"a":1},"links":{}}]}
          [{"id":"7","a":1}]
        {"data":[{"type":"t","id":"7","attributes":{}}]}
          [{"id":"7"}]
        {"data":[{"id":7,"name":"n","attributes":{"a":1}}]}
          [{"id":7,"name":"n","attributes":{"a":1}}]
        {"list":{},"sections":[{"rows":[{"id":"1","cells":{"a":1}}]},{"rows":[{"id":"2","cells":{}}]},{}],"links":{"next":null}}
          [{"id":"1","a":1},{"id":"2"}]
        {"list":{},"sections":[{"rows":[{"id":"1","cells":{"a":{"id":2},"id" : 1}},{"id":"2","cells":{"a":{"id":3}}}]}]}
          [{"a":{"id":2},"id" : 1},{"id":"2","a":{"id":3}}]
        \#u{FEFF}{"data":[{"é\"":1}]}
          [{"é\"":1}]
        """#
    )

    @Test("rows and the next page are found", arguments: documents)
    func rowsAreFound(_ row: InputRow) throws {
        let page = try page(row.input)
        let found = [String(decoding: page.rows, as: UTF8.self)] + (page.next.map { [$0] } ?? [])
        #expect(found == row.expected)
    }

    @Test(
        "a document of another shape is read as a file is",
        arguments: [
            (
                #"{"x":{"a":1},"y":{"a":2}}"#,
                #"{"id":"x","a":1}"# + "\n" + #"{"id":"y","a":2}"# + "\n"
            ),
            (#"{"a":[1,2],"b":[3,4]}"#, #"{"a":1,"b":3}"# + "\n" + #"{"a":2,"b":4}"# + "\n"),
            (
                #"{"type":"FeatureCollection","features":[{"properties":{"n":1},"geometry":null}]}"#,
                #"{"n":1,"geometry":null}"# + "\n"
            ),
            (#"{"meta":{"list":[{"a":1}]}}"#, #"{"a":1}"# + "\n"),
        ]
    )
    func otherShapes(text: String, rows: String) throws {
        let page = try page(text)
        #expect(page.format == .ndjson && String(decoding: page.rows, as: UTF8.self) == rows)
    }

    @Test("an object without rows is refused by its members")
    func rowsAreMissing() {
        expect("{\"message\":\"no\",\"code\":1}", .noRows(["message", "code"]), row: nil)
        expect("{\"a\":[],\"b\":[]}", .noRows(["a", "b"]), row: nil)
        expect(#"{"a":[{"x":1}],"b":[{"x":2}]}"#, .noRows(["a", "b"]), row: nil)
    }

    @Test("a row that its service could not show is refused")
    func failedRow() {
        let text = """
            {"list":{},"sections":[{"rows":[{"id":"1","cells":{}},{"id":"2","error":{}}]}]}
            """
        expect(text, .failedRow, row: 2)
    }

    @Test(
        "what is not JSON is refused where it stops being so",
        arguments: [
            ("{\"data\":[}", 1, 10), ("{\"data\":[{}]", 1, 13), ("{\n \"a\":1,\n}", 3, 1),
            ("{\"é\":\n[1 2]}", 2, 4), ("{} x", 1, 4), ("{\"a\":}", 1, 6), ("{\"a\" 1}", 1, 6),
            ("{\"a\":\"b", 1, 8), ("{a:1}", 1, 2), ("{\"a\":1", 1, 7), ("{\"a\":\"\\", 1, 8),
        ]
    )
    func malformedIsRefused(text: String, line: Int, column: Int) {
        let location = #expect(throws: RemoteError.self) { try page(text) }.flatMap(Self.location)
        #expect(location == FileLocation(line: line, column: column))
    }

    @Test("bytes that are not UTF-8, and depth without end, are refused")
    func hostile() {
        #expect(throws: RemoteError.self) { try page([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]) }
        let deep = "{\"data\":" + String(repeating: "[", count: 100_000)
        let error = #expect(throws: RemoteError.self) { try page(deep) }
        guard case .decoding(let fault) = error, case .file(let reason, _) = fault.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == .tooDeep(limit: FileLimits.maximumDepth))
    }

    @Test("no cut of a document and no changed byte of it does more than throw")
    func everyCut() throws {
        let text = Array("{\"data\":[{\"id\":\"\\u00e9\",\"a\":[1,{}]}],\"next\":\"/2\"}".utf8)
        for end in 1..<text.count {
            #expect(throws: RemoteError.self) { try page(Array(text[..<end])) }
        }
        for index in text.indices {
            for byte: UInt8 in [0, 0x22, 0x5C, 0x5D, 0x7B, 0x7D, 0x2C, 0xFF] {
                var changed = text
                changed[index] = byte
                // Many changes leave another document; none may trap.
                _ = try? page(changed)
            }
        }
    }

    @Test(
        "the format is told by the media type, else by the path",
        arguments: [
            ("text/csv; charset=utf-8", "/a", FileFormat.csv),
            ("APPLICATION/JSON", "/a.csv", .json),
            ("application/vnd.api+json", "/a", .json), ("application/x-ndjson", "/a", .ndjson),
            ("text/plain", "/a.tsv", .tsv), ("", "/a.ndjson", .ndjson), ("", "/a", .json),
            ("application/octet-stream", "/a.db", .json),
        ]
    )
    func formatIsTold(type: String, path: String, format: FileFormat) throws {
        #expect(try page(Array("[]".utf8), type: type, path: path).format == format)
    }

    @Test("a page for people is no list")
    func htmlIsRefused() {
        #expect(throws: RemoteError.unsupportedFormat("text/html")) {
            try page(Array("<!doctype html>".utf8), type: "text/html; charset=utf-8")
        }
    }

    private func page(_ text: String) throws(RemoteError) -> RemotePage {
        try page(Array(text.utf8))
    }

    private func page(
        _ body: [UInt8],
        type: String = "application/json",
        path: String = "/"
    ) throws(RemoteError) -> RemotePage {
        let response = RemoteResponse(
            fields: [RemoteField(received: "content-type", type)],
            body: body
        )
        return try RemotePage(number: 1, from: RemoteAddress("http://a" + path), response)
    }

    private func expect(
        _ text: String,
        _ reason: RemoteDecodingError.Reason,
        row: Int?,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let fault = RemoteDecodingError(page: 1, row: row, reason)
        #expect(throws: RemoteError.decoding(fault), sourceLocation: location) {
            try page(text)
        }
    }

    private static func location(_ error: RemoteError) -> FileLocation? {
        guard case .decoding(let fault) = error, case .file(_, let location) = fault.reason else {
            return nil
        }
        return location
    }
}
