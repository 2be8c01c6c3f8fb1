import Foundation
import ListAPI
import Listings
import MemoryLists
import RosterProgram
import TestSupport

extension Fixture {
    static let token = "roster_counts"
    private static let addressVariable = "ROSTER_COUNTS_POSTGRES"

    static func access(to lists: [ListDefinition]) throws -> AccessPolicyStore {
        let digest = "fe61d64d275ab71bf5880c83f0e56b3d7f2403caa522c2ea91fd4b496ad87c3d"
        return try withFile("tokens", holding: "counts sha256:\(digest) *:read\n") {
            try AccessPolicyStore($0, lists, AccessPolicy.Openness())
        }
    }

    static func importedSamples() throws -> ListDefinition {
        try withFile("csv", holding: SampleUsers.csv) { path in
            var configuration = Configuration()
            configuration.sources = [try SourceArgument("users=\(path)")]
            return try ListRegistry(configuration).lists[0]
        }
    }

    static func postgres() throws -> ListDefinition {
        guard let address = ProcessInfo.processInfo.environment[addressVariable] else {
            fatalError("\(addressVariable) is not set; see --with-postgres")
        }
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(address)]
        return try ListRegistry(configuration).lists[0]
    }

    /// Runs a command while there is a PostgreSQL with a table of the sample users.
    ///
    /// A program under valgrind starts none, so it is started by one that is not.
    static func runWithPostgres(_ command: ArraySlice<String>) throws -> Int32 {
        guard let cluster = PostgresCluster() else { fatalError("PostgreSQL does not start") }
        try cluster.run(
            """
            CREATE TABLE users (id serial PRIMARY KEY, "firstName" text, "lastName" text,
                occupation text, email text, city text, joined date, age integer)
            """
        )
        let columns = #""firstName", "lastName", occupation, email, city, joined, age"#
        try withFile("csv", holding: SampleUsers.csv) { path in
            _ = try cluster.run(#"\copy users (\#(columns)) FROM '\#(path)' CSV HEADER"#)
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = Array(command)
        process.environment = ProcessInfo.processInfo.environment.merging(
            [addressVariable: cluster.address()]
        ) { $1 }
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The names of the sample users as they are typed, from the first letter to the last.
    ///
    /// No two words are alike, so that most of what is asked is new.
    static let typedWords: [String] = {
        let names = SampleUsers.csv.split(separator: "\n").dropFirst().map { line in
            line.split(separator: ",").prefix(2).map { $0.lowercased() }
        }
        let words = names.map { $0.joined(separator: "+") }
        let others = names.map { $0.reversed().joined(separator: "+") }
        return (words + others).flatMap { word in
            // A word does not begin with the space between two.
            let letters = word.filter { $0.isASCII && ($0.isLetter || $0 == "+") }
                .drop { $0 == "+" }
            return letters.indices.map { String(letters[...$0]) }
        }
    }()

    /// A list whose users are written to, and what writes to one of them.
    static func changing() throws -> (ListDefinition, (Int) throws -> Void) {
        var registry = ControllerRegistry()
        let registration = try registry.register(UserController())
        let source = try DataSource(models: users, using: registration)
        let schema = try UserList.schema(for: UserController(), idType: .integer)
        let list = ListDefinition("users", source: DataSourceList(source, schema: schema))
        return (
            list,
            { number in
                var user = users[number % users.count]
                user.revision = Int64(number + 2)
                try source.update { try $0.update(user, using: registration) }
            }
        )
    }

    // MARK: - Cells of all types

    /// A model with a value of each type, whose texts are made beforehand.
    private struct Specimen: Identifiable {
        var id: Int
        let name: String
        let mail: String
        let site: String
        let note = String(repeating: "Twenty bytes of é. ", count: 10)

        init(_ number: Int) {
            id = number
            name = "Specimen \(number)"
            mail = "specimen\(number)@example.org"
            site = "https://example.org/specimens/\(number)?a=1&b=2"
        }

        var isPartial: Bool { id % 3 == 0 }
    }

    private struct SpecimenController: RowController {
        let kind = "specimen.row"
        let columns = [
            Column("name"), Column("day", type: .date), Column("price", type: .real),
            Column("ok", type: .boolean), Column("missing"), Column("mail", type: .email),
            Column("site", type: .link), Column("note"),
        ]

        func write(_ context: Context<Specimen>, to cells: inout CellBuffer) {
            let specimen = context.model
            cells.append(specimen.name)
            cells.append(day.map(CellValue.date) ?? .null)
            if let price, !specimen.isPartial { cells.append(price) } else { cells.appendNull() }
            cells.append(specimen.isPartial)
            cells.appendNull()
            cells.append(specimen.mail)
            cells.append(specimen.site)
            cells.append(specimen.note)
        }

        private let day = CalendarDate("2024-02-29")
        private let price = ExactDecimal("1234.50")

        func revision(of model: Specimen) -> Int64? { 1 }
    }

    /// A list of cells of all types, of which a page shows 50 rows.
    static func mixed() throws -> ListDefinition {
        var registry = ControllerRegistry()
        let controller = SpecimenController()
        let source = try MemorySource(
            models: (1...200).map { Specimen($0) },
            using: registry.register(controller),
            schema: ListSchema(columns: controller.columns, idType: .integer),
            version: ListVersion(epoch: 1, counter: 1)
        )
        return ListDefinition("mixed", source: source)
    }

    /// Makes something of a file that is gone afterwards.
    private static func withFile<Result>(
        _ ending: String,
        holding text: String,
        _ make: (String) throws -> Result
    ) throws -> Result {
        let path = NSTemporaryDirectory() + "roster-counts-\(getpid()).\(ending)"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try make(path)
    }
}
