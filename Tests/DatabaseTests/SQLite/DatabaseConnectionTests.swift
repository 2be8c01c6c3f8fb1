import Database
import Listings
import SQLite
import Testing

@Suite("Connections and statements")
struct DatabaseConnectionTests {
    private let folder = TemporaryFolder()

    private func texts(_ connection: DatabaseConnection, _ sql: String) throws -> [String] {
        let statement = try connection.statement(sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0)) }
        return texts
    }

    @Test("every kind of value comes back as it was bound")
    func roundTrip() throws {
        let connection = try DatabaseConnection(folder.file("a.db"), access: .readWrite)
        let date = try #require(CalendarDate("2024-02-29"))
        let values: [CellValue] = [
            .null, .text(""), .text("Zoë\0'\""), .integer(.min), .integer(.max), .real(-0.5),
            .boolean(true), .boolean(false), .date(date),
        ]
        let statement = try connection.statement("SELECT ?")
        for value in values {
            try statement.bind(1, value)
            #expect(try statement.step())
            switch value {
            case .null: #expect(statement.held(0).storage == .null)
            case .text(let text): #expect(statement.text(0) == text)
            case .integer(let integer): #expect(statement.integer(0) == integer)
            case .real(let real): #expect(statement.held(0).real == real)
            case .boolean(let boolean): #expect(statement.integer(0) == (boolean ? 1 : 0))
            case .date(let date): #expect(statement.text(0) == date.description)
            case .decimal, .timestamp, .json, .bytes: Issue.record("\(value)")
            }
            #expect(try !statement.step())
        }
    }

    @Test("an empty text given as bytes is a text and not null")
    func emptyText() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        let statement = try connection.statement("SELECT typeof(?1), typeof(?2)")
        try statement.bind(1, utf8: [UInt8]().span)
        try statement.bind(2, blob: [])
        #expect(try statement.step())
        #expect(statement.text(0) == "text")
        #expect(statement.text(1) == "blob")
    }

    @Test("lent texts are stored, and none stays bound")
    func lentTexts() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        try connection.execute("CREATE TABLE t (a, b, c)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?)")
        try insert.bind(2, 7 as Int64)
        try insert.run(lending: Array("héllo".utf8).span, texts: [(1, 0..<6), (3, 6..<6)])
        try insert.run(lending: [UInt8]().span, texts: [])
        let found = try texts(connection, "SELECT quote(a) || quote(b) || quote(c) FROM t")
        #expect(found == ["'héllo'7''", "NULL7NULL"])
    }

    @Test("the functions roster_order and roster_initial are the list's own order")
    func order() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        let sql = "SELECT column1 FROM (VALUES ('b'),('Á'),('a'),('9'),(NULL)) ORDER BY "
        let key = "ifnull(roster_order(column1), lower(column1) || char(1) || column1)"
        #expect(try texts(connection, sql + key) == ["", "9", "a", "Á", "b"])
        let initials = try texts(
            connection,
            "SELECT ifnull(roster_initial(column1), '-') FROM (VALUES ('élan'), ('9'), (''), (NULL))"
        )
        #expect(initials == ["E", "#", "#", "-"])
    }

    @Test("texts of a searched part have the same part, whether those without it are folded or not")
    func searchedParts() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        let texts = [
            "'Ada Lovelace'", "'ADA-love lace'", "'ada'", "''", "NULL", "x'6164'", "12.5", "-7",
            "'Łoś Ada'", "'Straße'", "'\u{212A}elvin'", "'a' || char(0) || 'da'", "'x~ada^'",
            "'@`['",
        ]
        let parts = [
            "'ada'", "'ada lo'", "' ada'", "' ada '", "''", "' '", "'k'", "'ss'", "'los'", "'12.5'",
            "'@'", "'`'", "'love lace'", "NULL",
        ]
        for text in texts {
            for part in parts {
                for function in ["roster_folded", "roster_words"] {
                    let found = "ifnull(instr(\(function)(\(text), \(part)), \(part)), 0)"
                    let expected = "ifnull(instr(\(function)(\(text)), \(part)), 0)"
                    let same = try self.texts(connection, "SELECT \(found) IS (\(expected))")
                    #expect(same == ["1"], "\(function) \(text) \(part)")
                }
            }
        }
    }

    @Test("a read-only connection neither creates nor changes anything")
    func readOnly() throws {
        #expect(throws: SQLiteError.self) {
            try DatabaseConnection(folder.file("none.db"), access: .readOnly)
        }
        let writer = try DatabaseConnection(folder.file("b.db"), access: .readWrite)
        try writer.execute("CREATE TABLE t (a)")
        let reader = try DatabaseConnection(folder.file("b.db"), access: .readOnly)
        #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
    }

    @Test(
        "a path means the file of that name, whatever it looks like",
        arguments: ["file:x.db?mode=memory", ":memory:", "a%20b.db", "-x", "?.db"]
    )
    func literalPaths(name: String) throws {
        let connection = try DatabaseConnection(folder.file(name), access: .readWrite)
        try connection.execute("CREATE TABLE t (a)")
        let again = try DatabaseConnection(folder.file(name), access: .readOnly)
        #expect(try texts(again, "SELECT name FROM sqlite_schema") == ["t"])
    }

    @Test("a path of bytes that are no UTF-8 is opened, one with NUL or none at all is refused")
    func anyBytes() throws {
        let path = Array(folder.path.utf8) + Array("/".utf8) + [0xFF, 0xFE]
        let connection = try DatabaseConnection(.file(path), access: .readWrite)
        try connection.execute("CREATE TABLE t (a)")
        _ = try DatabaseConnection(.file(path), access: .readOnly)
        for location in [.file(path + [0, 65]), .file([]), .memory(""), .memory("a/b")]
            as [DatabaseLocation]
        {
            #expect(throws: SQLiteError.unusableLocation) {
                try DatabaseConnection(location, access: .readWrite)
            }
        }
    }

    @Test("connections share a database in memory by its name while one is open")
    func memory() throws {
        let location = DatabaseLocation.uniqueMemory()
        var keeper: DatabaseConnection? = try DatabaseConnection(location, access: .readWrite)
        try keeper?.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('x')")
        do {
            let reader = try DatabaseConnection(location, access: .readOnly)
            keeper = nil
            #expect(try texts(reader, "SELECT a FROM t") == ["x"])
        }
        let later = try DatabaseConnection(location, access: .readWrite)
        #expect(try texts(later, "SELECT name FROM sqlite_schema") == [])
    }

    @Test("a file that is no database is refused when it is opened")
    func noDatabase() throws {
        let writer = try DatabaseConnection(folder.file("c.db"), access: .readWrite)
        try writer.execute("CREATE TABLE t (a)")
        let error = #expect(throws: SQLiteError.self) {
            try DatabaseConnection(.file("/etc/passwd"), access: .readOnly)
        }
        #expect(error?.primaryCode == 26)
    }

    @Test("a statement out of time stops, and the next one runs")
    func budget() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        let endless = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n
            """
        #expect(throws: SQLiteError.outOfTime) {
            try connection.within(.milliseconds(5)) { try texts(connection, endless) }
        }
        #expect(try texts(connection, "SELECT 'on'") == ["on"])
        connection.interruption.raise()
        #expect(throws: SQLiteError.interrupted) { try texts(connection, endless) }
    }

    @Test("an inner budget cannot outlive an outer one")
    func nestedBudgets() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        connection.within(.zero) {
            let outer = connection.deadline
            connection.within(.seconds(60)) { #expect(connection.deadline == outer) }
            #expect(connection.deadline == outer)
        }
        #expect(connection.deadline == nil)
    }

    @Test("a transaction that throws leaves nothing behind")
    func transactions() throws {
        let connection = try DatabaseConnection(folder.file("d.db"), access: .readWrite)
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction(.writing) { () throws(SQLiteError) in
                try connection.execute("INSERT INTO t VALUES (1)")
                #expect(connection.isInTransaction)
                try connection.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(error?.isDuplicate == true)
        #expect(!connection.isInTransaction)
        #expect(try texts(connection, "SELECT a FROM t") == [])
        try connection.transaction(.writing) { () throws(SQLiteError) in
            try connection.execute("INSERT INTO t VALUES (2)")
        }
        #expect(try texts(connection, "SELECT a FROM t") == ["2"])
    }

    @Test(
        "the number of a state is another one after each commit, and only then",
        arguments: ["wal", "delete", "memory"]
    )
    func dataVersions(mode: String) throws {
        let location: DatabaseLocation = mode == "memory" ? .uniqueMemory() : folder.file("e.db")
        let writer = try DatabaseConnection(location, access: .readWrite)
        _ = try texts(writer, "PRAGMA journal_mode = \(mode)")
        try writer.execute("CREATE TABLE numbers (number INTEGER)")
        let reader = try DatabaseConnection(location, access: .readOnly)
        func look() throws -> UInt32? {
            try reader.begin(.reading)
            defer { reader.rollback() }
            _ = try texts(reader, "SELECT number FROM numbers")
            return reader.dataVersion()
        }
        var seen = [try #require(try look())]
        for number in 0..<20 {
            #expect(try look() == seen.last)
            try writer.execute("INSERT INTO numbers VALUES (\(number))")
            // A commit that changes other tables counts, too.
            if number % 5 == 0 { try writer.execute("CREATE TABLE t\(number) (a)") }
            seen.append(try #require(try look()))
        }
        #expect(Set(seen).count == seen.count)
    }

    @Test("more statements than are kept can be used one after another")
    func manyStatements() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        for round in 0..<2 {
            for number in 0..<100 {
                #expect(
                    try texts(connection, "SELECT \(number) + \(round)") == ["\(number + round)"]
                )
            }
        }
    }
}
