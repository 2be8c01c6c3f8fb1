import Database
import HTTP
import Listings
import RemoteCodable
import RemoteCurl
import RemoteLists
import TableFiles
import Testing

@Suite("Rows of no declared type")
struct RecordTests {
    @Test("types are found over all pages, and members may come and go")
    func types() async throws {
        let (source, format, upstream) = try records()
        upstream.answer(
            "/",
            .json(
                "[{\"id\":10,\"age\":1,\"on\":true,\"day\":\"2024-02-29\",\"mail\":\"a@b.org\"}]",
                link: "</2>; rel=next"
            )
        )
        upstream.answer(
            "/2",
            "\n [ {\"extra\":{\"a\": [1]}, \"age\":2.5, \"id\":11, \"mail\":null} ] "
        )
        try await source.refresh()
        let shape = try #require(format.shape)
        #expect(shape.idType == .integer)
        #expect(shape.columns.map(\.id) == ["id", "age", "on", "day", "mail", "extra"])
        #expect(shape.columns.map(\.type) == [.integer, .real, .boolean, .date, .email, .json])
        let second = try #require(source.snapshot.models.last)
        #expect(second.id == "11")
        let values = (0..<6).map { second.value($0) }
        let extra = CellValue.json("{\"a\":[1]}")
        #expect(values == [.integer(11), .natural("2.5"), .null, .null, .null, extra])
    }

    @Test("rows without ids are numbered over all pages")
    func numbered() async throws {
        let (source, _, upstream) = try records()
        upstream.answer("/", .json("[{\"a\":1},{\"a\":2}]", link: "</2>; rel=next"))
        upstream.answer("/2", .json("[]", link: "</3>; rel=next"))
        upstream.answer("/3", "[{\"a\":3}]")
        try await source.refresh()
        #expect(source.snapshot.models.map(\.id) == ["1", "2", "3"])
    }

    @Test(
        "tables and lines are read too",
        arguments: [
            ("text/csv", "id,a\n1,x\n2,\"y, z\"\n"),
            ("text/tab-separated-values", "id\ta\n1\tx\n2\ty, z"),
            ("application/x-ndjson", "{\"id\":1,\"a\":\"x\"}\n{\"a\":\"y, z\",\"id\":2}"),
        ]
    )
    func otherFormats(type: String, text: String) async throws {
        let (source, _, upstream) = try records()
        upstream.answer(
            "/",
            Upstream.Answer(body: Array(text.utf8), fields: [(.contentType, type)])
        )
        try await source.refresh()
        #expect(source.snapshot.models.map(\.id) == ["1", "2"])
        #expect(source.snapshot.models.map { $0.value(1) } == [.text("x"), .text("y, z")])
        upstream.answer(
            "/",
            Upstream.Answer(
                body: Array(text.utf8),
                fields: [(.contentType, type), (.link, "</2>; rel=next")]
            )
        )
        guard case .decoding(let fault) = await source.error(), case .pagedFormat = fault.reason
        else {
            Issue.record("\(source.state)")
            return
        }
    }

    @Test(
        "what is wrong is told with its place",
        arguments: [
            ("[{\"id\":1},\n {\"id\":}]", 2, FileLocation(line: 2, column: 8)),
            ("[{\"id\":1},{\"id\":1,\"id\":2}]", 2, FileLocation(line: 1, column: 19)),
            ("[{\"id\":1},\n {\"id\":NaN}]", 2, FileLocation(line: 2, column: 8)),
            ("[1]", 1, FileLocation(line: 1, column: 2)),
            ("nothing", 1, FileLocation(line: 1, column: 1)),
            ("[{\"id\":1}", 2, FileLocation(line: 1, column: 10)),
        ]
    )
    func faults(text: String, row: Int, location: FileLocation) async throws {
        let (source, _, upstream) = try records()
        upstream.answer("/", text)
        guard case .decoding(let fault) = await source.error(),
            case .file(_, let found) = fault.reason
        else {
            Issue.record("\(source.state)")
            return
        }
        #expect(fault.page == 1)
        #expect(fault.row == row)
        #expect(found == location)
    }

    @Test("an empty answer and a row without its id are faults")
    func missing() async throws {
        let (source, _, upstream) = try records()
        upstream.answer("/", "")
        #expect(await source.error() == fault(row: 1, .emptyFile, at: .start))
        upstream.answer("/", .json("[{\"id\":1},{\"id\":\"\"}]", link: "</2>; rel=next"))
        upstream.answer("/2", "[{\"id\":3}]")
        #expect(await source.error() == fault(row: 2, .missingID(column: "id"), at: nil))
    }

    @Test("a document between pages cannot break out of its page")
    func pageStaysWhole() async throws {
        let (source, _, upstream) = try records()
        upstream.answer("/", .json("[{\"a\":1}],[{\"a\":2}]", link: "</2>; rel=next"))
        upstream.answer("/2", "[{\"a\":3}]")
        guard case .decoding = await source.error() else {
            Issue.record("\(source.state)")
            return
        }
        upstream.answer("/", .json("{\"data\":[{\"a\":1}]}", link: "</2>; rel=next"))
        try await source.refresh()
        upstream.answer("/", .json("5", link: "</2>; rel=next"))
        guard case .decoding = await source.error() else {
            Issue.record("\(source.state)")
            return
        }
    }

    @Test("columns stay as they were first: missing ones are empty, new ones not shown")
    func columnsStay() async throws {
        let (source, format, upstream) = try records()
        upstream.answer("/", "[{\"id\":1,\"a\":1.5,\"b\":\"x\"}]")
        let first = try await source.refresh()
        upstream.answer("/", "[{\"b\":7,\"new\":true,\"a\":2,\"id\":1}]")
        #expect(try await source.refresh().counter == first.counter + 1)
        let changed = try #require(source.snapshot.models.first)
        #expect(changed.value(1) == .real(2))
        #expect(changed.value(2) == .text("7"))
        upstream.answer("/", "[{\"id\":1}]")
        try await source.refresh()
        #expect(source.snapshot.models.first?.value(1) == .null)
        #expect(format.shape?.columns.count == 3)
    }

    @Test("a column that changes its type fails the refresh")
    func columnChanges() async throws {
        let (source, _, upstream) = try records()
        upstream.answer("/", "[{\"id\":1,\"age\":5}]")
        try await source.refresh()
        upstream.answer("/", "[{\"id\":1,\"age\":\"old\"}]")
        #expect(await source.error() == .columnChanged("age", from: "integer", to: "text"))
        upstream.answer("/", "[{\"id\":\"x\",\"age\":5}]")
        #expect(await source.error() == .columnChanged("id", from: "integer", to: "text"))
        upstream.answer("/", "[]")
        try await source.refresh()
        #expect(source.snapshot.models.isEmpty)
    }

    @Test("equal cells are no change")
    func equalCells() async throws {
        let (source, _, upstream) = try records()
        upstream.answer("/", "[{\"id\":1,\"a\":\"x\",\"b\":null}]")
        let first = try await source.refresh()
        upstream.answer("/", "{\"data\":[{\"b\":null,\"a\":\"\\u0078\",\"id\":1}]}")
        #expect(try await source.refresh() == first)
        upstream.answer("/", "[{\"id\":1,\"a\":\"y\",\"b\":null}]")
        #expect(try await source.refresh() != first)
    }

    private func fault(
        row: Int,
        _ reason: FileError.Reason,
        at location: FileLocation?
    ) -> RemoteError {
        .decoding(RemoteDecodingError(page: 1, row: row, .file(reason, at: location)))
    }

    private func records() throws -> (RemoteSource<Record>, RecordFormat, Upstream) {
        let upstream = try Upstream()
        let format = RecordFormat()
        let source = RemoteSource(
            of: RemoteConfiguration(try upstream.address()),
            as: format.format,
            over: CurlTransport()
        )
        return (source, format, upstream)
    }
}
