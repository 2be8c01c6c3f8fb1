import ListAPI
import ListAPITestSupport
import TestSupport
import Testing

@testable import RosterProgram

@Suite("JSON files of other programs")
struct JSONFilesTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func lists(
        _ text: String,
        of file: String,
        _ flags: [String] = []
    ) throws -> (
        client: Client, notices: [String]
    ) {
        try folder.write(Array(text.utf8), to: file)
        let arguments = ["\(folder.path)/\(file)"] + flags
        let lists = try ListRegistry(try Configuration(arguments: arguments, environment: [:]))
        return (try Client(lists.lists), lists.contents.notices)
    }

    @Test(
        "are read, with a note of what was decided",
        arguments: [
            (
                "t.json", #"{"a":{"0":1,"1":2},"b":{"0":"x","1":NaN}}"#, "a,b\n1,x\n2,\n",
                ["its members are columns", "NaN or infinite numbers: 1, the first at 1:37"]
            ),
            (
                "t.json", #"{"a":{"x":1},"b":{"x":2}}"#, "id,x\na,1\nb,2\n",
                ["read row by row, although its members might be columns"]
            ),
            (
                "t.json", #"{"columns":["a","b"],"index":["k","l"],"data":[[1,2],[3,4]]}"#,
                "id,a,b\nk,1,2\nl,3,4\n", ["rows of 'data'"]
            ),
            (
                "t.ndjson", "{\"a\":1}\n{\"a\":2}\n{\"a\":3", "a\n1\n2\n",
                ["a last line without its end: 1, the first at 3:1; left out until it is finished"]
            ),
        ] as [(String, String, String, [String])]
    )
    func read(file: String, text: String, csv: String, notes: [String]) throws {
        let (client, notices) = try lists(text, of: file)
        let shown = try client.get("/t.csv").body
        #expect(shown.filter { $0 != "\u{FEFF}" }.replacing("\r\n", with: "\n") == csv)
        for note in notes { #expect(notices.contains { $0.contains(note) }, "\(notices)") }
    }

    @Test(
        "errors elsewhere refuse the file, with the place",
        arguments: [
            ("{\"a\":1}\n{\"a\":\n{\"a\":3}\n", "t.ndjson:2:6: a line break inside an object"),
            ("{\"a\":1}\n{\"a\":x}\n{\"a\":", "t.ndjson:2:6: 'x' where a value is expected"),
            ("{\"a\":1", "t.ndjson:1:7: the file ends"),
        ]
    )
    func refused(text: String, error: String) {
        let failure = #expect(throws: Failure.self) { _ = try lists(text, of: "t.ndjson") }
        #expect(failure?.text.contains(error) == true, "\(failure?.text ?? "")")
    }

    @Test(
        "are no files for edits if their rows are not the elements of one array",
        arguments: [
            #"{"a":{"0":1},"b":{"0":"x"}}"#, #"{"a":{"x":1},"b":{"x":2}}"#,
            #"{"columns":["a"],"index":[0],"data":[[1]]}"#,
            #"{"schema":{"fields":[]},"data":[{"index":0,"a":1}]}"#,
        ]
    )
    func edits(text: String) {
        let failure = #expect(throws: Failure.self) {
            _ = try lists(text, of: "t.json", ["--allow-anonymous-writes"])
        }
        #expect(failure?.text.contains("are not the objects of one array") == true)
    }
}
