import ListDiff
import Listings
import MemoryLists

// A page of 50 rows of a list in memory: what it costs at the start, in the middle and at the end of
// a list of a thousand models and of one of ten million. Times are medians; on a machine that does
// other things only their ratios mean something.
//
//   pages                    the table
//   pages ROWS PLACE N       N pages behind row PLACE of ROWS; for tools that count instructions and
//                            allocations: N and 2N times, subtracted

struct Person: Identifiable, Sendable {
    let id: Int
    let name: String
    let city: String
    let age: Int
}

/// One thread's way to ask for pages of the list.
struct Pages: ~Copyable {
    let source: DataSource
    let reader: any ListReader
    var page: Page

    init(of models: [Person]) throws {
        let controller = ClosureController<Person>(columns: [
            column("name", \.name), column("city", \.city), column("age", \.age),
        ])
        var registry = ControllerRegistry()
        let people = try registry.register(controller)
        let schema = try ListSchema(columns: people.columns, idType: .integer)
        let section = Section("people", Run(models, using: people))
        let source = try DataSource(section: section)
        reader = try DataSourceList(source, schema: schema).makeReader()
        self.source = source
        page = Page(list: "people", schema: schema)
    }

    /// The page behind a row, as a client asks for it that came there page by page.
    mutating func query(after location: Int) throws -> ListQuery {
        guard location > 0 else { return ListQuery(shape: .flow(limit: 50)) }
        try read(ListQuery(shape: .flow(limit: 1), start: .offset(location - 1)))
        guard let cursor = page.next else { fatalError("no page follows row \(location)") }
        return ListQuery(shape: .flow(limit: 50), start: .after(cursor))
    }

    mutating func read(_ query: ListQuery) throws { try reader.read(query, into: &page) }

    /// Reads a page as those are given it who will ask what changed on it.
    mutating func readNamed(_ query: ListQuery) throws {
        try read(query)
        page.nameWindow(list: 1, query: 1)
    }
}

/// Measures what following a page costs: to name what a client holds, and to tell what changed.
func measureFollowing(_ pages: inout Pages, _ size: Int) throws {
    let query = try pages.query(after: size / 2)
    try pages.readNamed(query)
    let name = pages.page.windowName.text()
    try pages.source.update { try $0.remove(["\(size / 2 + 9)"]) }
    var differ = ListDiffer()
    var times: [[Double]] = [[], [], []]
    for _ in 0..<101 {
        times[0].append(try microseconds { for _ in 0..<20 { try pages.read(query) } } / 20)
        times[1].append(try microseconds { for _ in 0..<20 { try pages.readNamed(query) } } / 20)
        times[2].append(
            try microseconds {
                for _ in 0..<20 {
                    try pages.readNamed(query)
                    let held = try PageDigest(name)
                    let changes = differ.difference(from: held, to: pages.page)
                    precondition(changes.rowsToSend.count == 1)
                }
            } / 20
        )
    }
    let shown = times.map { "\(Int(median($0).rounded()))" }.joined(separator: " | ")
    print("\(size) | \(shown)")
}

func people(_ count: Int) -> [Person] {
    (0..<count).map { Person(id: $0, name: "Person \($0)", city: "City \($0 % 89)", age: $0 % 90) }
}

func microseconds(_ work: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(work)
    return Double(duration.components.attoseconds) / 1e12
        + Double(duration.components.seconds) * 1e6
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func measureAll() throws {
    let sizes = [1_000, 10_000_000]
    var rounds: [String: [Double]] = [:]
    var names: [String] = []
    for size in sizes {
        let models = people(size)
        let building = try microseconds { _ = try Pages(of: models) }
        print("a list of \(size) models is built in \(Int(building)) µs")
        var pages = try Pages(of: models)
        for (name, location) in [("start", 0), ("middle", size / 2), ("end", size - 50)] {
            let query = try pages.query(after: location)
            let name = "\(size), \(name)"
            names.append(name)
            for _ in 0..<101 {
                let time = try microseconds { for _ in 0..<20 { try pages.read(query) } }
                rounds[name, default: []].append(time / 20)
            }
            precondition(pages.page.rowCount == 50)
        }
    }
    let times = names.map { median(rounds[$0] ?? []) }
    print("list, place | µs a page | times the first")
    for (name, time) in zip(names, times) {
        print("\(name) | \(Int(time)) | \((time / times[0] * 100).rounded() / 100)")
    }
    print("list, followed | µs to read | and to name | and to tell a row that went")
    for size in sizes {
        var pages = try Pages(of: people(size))
        try measureFollowing(&pages, size)
    }
}

let arguments = CommandLine.arguments.dropFirst().map { Int($0) ?? -1 }
if arguments.count == 3, arguments[0] > 0, (0...arguments[0] - 50).contains(arguments[1]),
    arguments[2] > 0
{
    var pages = try Pages(of: people(arguments[0]))
    let query = try pages.query(after: arguments[1])
    for _ in 0..<arguments[2] { try pages.read(query) }
} else if arguments.isEmpty {
    try measureAll()
} else {
    fatalError("usage: pages [ROWS PLACE N], PLACE at most ROWS - 50")
}
