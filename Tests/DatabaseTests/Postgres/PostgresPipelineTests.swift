import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite("Several rows are written to PostgreSQL together", .needsPostgres)
struct PostgresPipelineTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    private func people(_ name: String, _ options: String = "") throws -> WritableTable {
        try WritableTable(
            """
            CREATE TABLE \(name) (id int PRIMARY KEY, name text NOT NULL DEFAULT 'nobody',
                age int CHECK (age >= 0), code varchar(3)) \(options);
            \(options.isEmpty ? "" : "CREATE TABLE p PARTITION OF \(name) DEFAULT;")
            INSERT INTO \(name) SELECT n, 'n' || n, n FROM generate_series(1, 20) n;
            """,
            named: name,
            in: scratch
        )
    }

    @Test("a batch does what single changes do, whether a row is refused or not")
    func sameAsSingle() throws {
        let (batched, single) = (try people("people"), try people("others"))
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let verbs: [RowChange.Verb] = [
            .insert, .insertIfAbsent, .replace, .merge, .mergeOrInsert, .delete,
        ]
        for round in 0..<20 {
            let ids = (1...40).shuffled(using: &random).prefix(12)
            let changes = try ids.map { id in
                let verb = verbs.randomElement(using: &random) ?? .merge
                // Now and then the database refuses a value.
                let isBad = Int.random(in: 0..<40, using: &random) == 0
                let age = Int64(Int.random(in: 1...3, using: &random)) * (isBad ? -1 : 1)
                let values: [String: CellValue] = [
                    "name": .text("r\(round)"), "age": .integer(age),
                ]
                return try batched.change(verb, "\(id)", verb == .delete ? [:] : values)
            }
            let results = try batched.write(changes, manner: .each)
            let expected = try changes.map { try single.write([$0], manner: .each)[0] }
            for (result, other) in zip(results, expected) {
                switch (result, other) {
                case (.success(let row), .success(let second)):
                    #expect(row.id == second.id && row.effect == second.effect, "seed \(seed)")
                case (.failure(let refusal), .failure(let second)):
                    #expect("\(refusal)".prefix(12) == "\(second)".prefix(12), "seed \(seed)")
                default: Issue.record("\(result) and \(other), seed \(seed)")
                }
            }
            let (rows, others) = (try batched.rows(), try single.rows())
            #expect(rows == others, "seed \(seed)")
        }
    }

    @Test("every row of a batch has the revision by which it is changed later")
    func revisions() throws {
        let plain = try people("people")
        let parted = try people("parted", "PARTITION BY RANGE (id)")
        let watched = try people("watched")
        try scratch.run(
            """
            CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF new.code IS NULL THEN
                    BEGIN UPDATE watched SET code = 'x' WHERE id = new.id;
                    EXCEPTION WHEN division_by_zero THEN END;
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER again AFTER INSERT ON watched FOR EACH ROW EXECUTE FUNCTION again();
            """
        )
        let again = try WritableTable(opening: "watched", in: scratch)
        _ = watched
        for table in [plain, parted, again] {
            let changes =
                try (30..<34).map {
                    try table.change(.insert, "\($0)", ["name": .text("new")])
                } + [try table.change(.merge, "1", ["age": .integer(99)])]
            let results = try table.write(changes)
            for result in results {
                let row = try result.get()
                let revision = try #require(row.revision)
                let deleted = try table.write(.delete, row.id, when: [.isAt([revision])])
                #expect(deleted.effect == .deleted)
            }
        }
        let single = try again.write(.insert, "60", ["name": .text("new")])
        let revision = try #require(single.revision)
        #expect(
            try again.write(.merge, "60", ["age": .integer(1)], when: [.isAt([revision])]).effect
                == .changed
        )
    }

    @Test("many kinds of statements and rows are written, and one that is refused undoes all")
    func many() throws {
        try scratch.run(
            "CREATE TABLE wide (id int PRIMARY KEY, "
                + (0..<90).map { "c\($0) int" }.joined(separator: ", ") + ")"
        )
        let table = try WritableTable(opening: "wide", in: scratch)
        let changes = try (0..<300).map {
            try table.change(.insert, "\($0)", ["c\($0 % 90)": .integer(Int64($0))])
        }
        #expect(try table.write(changes).allSatisfy { (try? $0.get().effect) == .created })
        #expect(try table.rows().count == 300)
        let refused = try table.change(.insert, "5", ["c1": .integer(1)])
        #expect(throws: WriteError.refused([1: .existingRow("5")])) {
            try table.write([try table.change(.insert, "900", [:]), refused])
        }
        #expect(try table.rows().count == 300)
    }
}
