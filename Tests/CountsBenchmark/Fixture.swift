import Bytes
import Foundation
import ListAPI
import ListDiff
import Listings
import MemoryLists
import Rendering
import RosterProgram

/// The list that pieces work on: 200 users in three sections, of whom a page shows 50.
enum Fixture {
    static let users: [User] = (0..<200).map { number in
        User(
            id: "\(number + 1)",
            firstName: ["Ada", "Björk", "Chiara", "Dariush", "Élodie"][number % 5],
            lastName: ["Abernathy", "Conceição", "D'Angelo", "Mwangi"][number % 4] + " \(number)",
            occupation: ["Designer", "Engineer", "Writer"][number % 3]
        )
    }

    static func inMemory() throws -> ListDefinition {
        var registry = ControllerRegistry()
        let schema = try UserList.schema(for: UserController(), idType: .integer)
        let registration = try registry.register(UserController())
        let source = try DataSource(models: users, using: registration)
        return ListDefinition("users", source: DataSourceList(source, schema: schema))
    }

    static func stored() throws -> ListDefinition {
        var text = "id,firstName,lastName,occupation\n"
        for user in users {
            let cells = [user.id, user.firstName, user.lastName, user.occupation]
            text += cells.map { $0 ?? "" }.joined(separator: ",") + "\n"
        }
        let path = NSTemporaryDirectory() + "roster-counts-\(getpid()).csv"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var configuration = Configuration()
        configuration.sources = [try SourceArgument("users=\(path)")]
        guard let list = try ListRegistry(configuration).lists.first else {
            fatalError("no list came of \(path)")
        }
        return list
    }
}

struct Pages: ~Copyable {
    var page: Page
    private let reader: any ListReader
    private let query: ListQuery

    init(of list: ListDefinition) throws {
        let schema = list.source.schema
        let query = ListQuery(
            grouping: schema.defaultGrouping,
            sort: schema.defaultSort,
            shape: .flow(limit: 50)
        )
        try self.init(of: list, query)
    }

    init(of list: ListDefinition, sortedBy column: String) throws {
        let location = list.source.schema.index(of: column)
        var query = ListQuery(
            grouping: nil,
            sort: [SortKey(location.map { .column($0) } ?? .id)],
            shape: .flow(limit: 50)
        )
        query.counting = .off
        try self.init(of: list, query)
    }

    private init(of list: ListDefinition, _ query: ListQuery) throws {
        reader = try list.source.makeReader()
        page = Page(list: list.name, schema: list.source.schema)
        self.query = query
    }

    mutating func read() throws { try reader.read(query, into: &page) }

    mutating func next() throws -> Cursor {
        try read()
        guard let cursor = page.next else { fatalError("there is no next page") }
        return cursor
    }
}

/// Names that exist before anything is compared, as the ids of models do.
struct Names: DigestNames {
    private let rows: [String]

    init(_ ids: [UInt64]) { rows = ids.map { "row-\($0)" } }

    func sectionID(at index: Int) -> SectionID { "all" }

    func rowID(at index: Int) -> String { rows[index] }
}

struct PlainLinks: PageLinks {
    func write(_ link: PageLink, to buffer: inout ByteBuffer) { buffer.append("/users") }

    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        buffer.append("/users/")
        buffer.append(id)
    }

    func writeAddress(_ address: String, to buffer: inout ByteBuffer) { buffer.append(address) }

    func writeRowStem(to buffer: inout ByteBuffer) -> Bool {
        buffer.append("/users/")
        return true
    }

    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        writeRow(id, to: &buffer)
    }

    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer) { buffer.append("/users/-") }

    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        writeRow(id, to: &buffer)
    }

    var linksCells: Bool { false }

    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        writeRow(id, to: &buffer)
    }

    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        writeRow(id, to: &buffer)
    }

    func parameters(of link: PageLink) -> [(name: String, value: String)] { [] }

    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer) {
        cursor.write(to: &buffer)
    }
}
