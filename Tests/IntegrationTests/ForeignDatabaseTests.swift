import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Somebody else's database is served whole, or what is not says why at the start")
struct ForeignDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let schema = #"""
        CREATE TABLE Artist (ArtistId INTEGER NOT NULL PRIMARY KEY, Name NVARCHAR(120));
        CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title NVARCHAR(160) NOT NULL,
          ArtistId INTEGER NOT NULL REFERENCES Artist(ArtistId));
        CREATE TABLE PlaylistTrack (PlaylistId INTEGER NOT NULL, TrackId INTEGER NOT NULL,
          PRIMARY KEY (PlaylistId, TrackId));
        CREATE TABLE Compact (Code TEXT PRIMARY KEY, Price NUMERIC(10,2)) WITHOUT ROWID;
        CREATE TABLE Wide (a TEXT, b INTEGER, c REAL, d BLOB, PRIMARY KEY (a, b, c)) WITHOUT ROWID;
        CREATE TABLE Invoice (Number TEXT PRIMARY KEY, At DATETIME, Total REAL, Paid BOOLEAN);
        CREATE TABLE Keyless (name TEXT, age INTEGER);
        CREATE TABLE Hidden (rowid TEXT, _rowid_ TEXT, oid TEXT);
        CREATE TABLE Images (id INTEGER PRIMARY KEY, picture BLOB, thumb BLOB);
        CREATE TABLE BlobKey (k BLOB PRIMARY KEY, v TEXT);
        CREATE TABLE "order" ("select" INTEGER PRIMARY KEY, "from" TEXT, "where" TEXT, "group" TEXT);
        CREATE TABLE "it's ""quoted""" (id INTEGER PRIMARY KEY, "a ""b"" 'c'" TEXT, "x;y" TEXT);
        CREATE TABLE Reserved (id INTEGER PRIMARY KEY, "limit" INTEGER, "sort" TEXT, "q" TEXT);
        CREATE TABLE Doubled (id INTEGER PRIMARY KEY, a__b TEXT, c__ne INTEGER);
        CREATE TABLE "Größe" (id INTEGER PRIMARY KEY, "Länge" REAL, "名前" TEXT);
        CREATE TABLE Sections (id TEXT PRIMARY KEY, section TEXT);
        CREATE TABLE Empty (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE Nulls (id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE "a/b?c#d" (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE "people.json" (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE Generated (id INTEGER PRIMARY KEY, a INTEGER, twice AS (a * 2),
          kept AS (a * 3) STORED);
        CREATE TABLE Strict (id INTEGER PRIMARY KEY, any_value ANY) STRICT;
        CREATE VIRTUAL TABLE Notes USING fts5(body);
        CREATE VIEW AlbumView AS SELECT AlbumId AS id, Title, Name FROM Album JOIN Artist
          USING (ArtistId);
        CREATE VIEW NamesOnly AS SELECT Name FROM Artist;
        CREATE VIEW SameID AS SELECT ArtistId AS id, Title FROM Album;
        CREATE VIEW Broken AS SELECT gone FROM nowhere;
        INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Björk'), (3, NULL), (4, 'a, b "c"');
        INSERT INTO Album VALUES (1, 'Let There Be Rock', 1), (2, 'Homogenic', 2), (3, '', 1);
        INSERT INTO PlaylistTrack VALUES (1, 3), (1, 10), (2, 3), (10, 1);
        INSERT INTO Compact VALUES ('x', 0.99), ('X', 1), ('x,y', NULL), ('ä%20/?', 2.5);
        INSERT INTO Wide VALUES ('a', 1, 1.5, x'00ff'), ('a', 2, -1.0, NULL), ('b,c', 1, 0.0, x'');
        INSERT INTO Invoice VALUES ('2024/1', '2024-01-02 03:04:05', 1e300, 1),
          ('2024/2', '2024-01-03', NULL, 0), ('-', 'never', -0.5, 'maybe');
        INSERT INTO Keyless VALUES ('a', 1), ('a', 1), (NULL, NULL);
        INSERT INTO Hidden VALUES ('a', 'b', 'c');
        INSERT INTO Images VALUES (1, randomblob(5000), x''), (2, NULL, x'01');
        INSERT INTO BlobKey VALUES (x'00', 'a'), (x'ff00', 'b'), (x'', 'c');
        INSERT INTO "order" VALUES (1, 'a', 'b', 'g'), (2, 'c', 'd', 'h');
        INSERT INTO "it's ""quoted""" VALUES (1, 'x', 'y'), (2, '''; DROP TABLE Artist; --', NULL);
        INSERT INTO Reserved VALUES (1, 2, 'c', 'd');
        INSERT INTO Doubled VALUES (1, 'x', 2);
        INSERT INTO "Größe" VALUES (1, 1.5, '東'), (2, 9e15, 'é'), (9007199254740993, 0.1, '');
        INSERT INTO Sections VALUES ('-', 's'), ('.', NULL), ('..', 's'), ('a.json', 't');
        INSERT INTO Nulls VALUES (NULL, 'x'), (NULL, 'y'), ('1', 'z');
        INSERT INTO "a/b?c#d" VALUES (1, 'a');
        INSERT INTO "people.json" VALUES (1, 'a');
        INSERT INTO Generated (id, a) VALUES (1, 2), (2, NULL);
        INSERT INTO Strict VALUES (1, 'a'), (2, 3), (3, x'00');
        INSERT INTO Notes VALUES ('some words'), ('others');
        """#

    private static let tables = [
        "Artist": 4, "Album": 3, "PlaylistTrack": 4, "Compact": 4, "Wide": 3, "Invoice": 3,
        "Keyless": 3, "Hidden": 1, "Images": 2, "BlobKey": 3, "order": 2, "it's \"quoted\"": 2,
        "Reserved": 1, "Doubled": 1, "Größe": 3, "Sections": 4, "Empty": 0, "Nulls": 3,
        "a/b?c#d": 1, "people.json": 1, "Generated": 2, "Strict": 3, "Notes": 2, "AlbumView": 3,
        "NamesOnly": 4, "SameID": 3, "Broken": 0,
    ]

    private struct Directory: Decodable {
        struct List: Decodable {
            struct Links: Decodable { var `self`: String }
            var id: String
            var links: Links
        }
        var lists: [List]
    }

    private func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }

    @Test("every table is a list whose rows are all met, in every order, or is named with a reason")
    func everyTable() throws {
        let database = folder.path("shop.sqlite")
        let writer = try DatabaseConnection(.file(database), access: .readWrite)
        try writer.execute(Self.schema)
        let server = try RosterProcess(serving: [database])
        let directory = try JSONDecoder().decode(
            Directory.self,
            from: Data(try server.get("/.json").body)
        )
        let served = Dictionary(
            uniqueKeysWithValues: directory.lists.map { ($0.id, $0.links.`self`) }
        )
        for (table, count) in Self.tables {
            guard let address = served[table] else {
                let notice = server.lines.first { $0.contains("'\(table)'") }
                #expect(notice != nil, "\(table) is neither served nor refused: \(server.lines)")
                continue
            }
            try expectServed(table, at: address, count, by: server)
        }
        #expect(Set(served.keys).subtracting(Self.tables.keys) == ["a-b?c#d"])
        #expect(
            Set(served.keys).isSuperset(of: ["Artist", "Compact", "order", "Größe", "Doubled"])
        )
        try server.stop()
    }

    private func expectServed(
        _ table: String,
        at address: String,
        _ count: Int,
        by server: RosterProcess
    ) throws {
        let all = try server.page(address + ".json")
        #expect(all.ids.count == count, "\(table)")
        #expect(Set(all.ids).count == count, "\(table)")
        var orders = ["limit=1"]
        for column in all.columns {
            orders.append("limit=1&sort=\(escaped(column.id))")
            orders.append("limit=2&sort=-\(escaped(column.id))")
        }
        for order in orders {
            let walked = try server.pages(from: "\(address).json?\(order)").flatMap(\.ids)
            #expect(walked.count == count, "\(table) \(order)")
            #expect(Set(walked) == Set(all.ids), "\(table) \(order)")
        }
        let texts = all.columns.filter { $0.type == "text" }.map(\.id)
        for row in all.sections.flatMap(\.rows) {
            let answer = try server.get("\(address)/\(escaped(row.id)).json")
            #expect(answer.status == 200, "\(table) \(row.id): \(answer.text)")
            // A number in a column of texts is another value than its text.
            for (column, cell) in row.cells where cell.isText || !texts.contains(column) {
                try expectFound(row.id, column, cell, at: address, by: server)
            }
        }
        let lines = try server.get("\(address).ndjson").text.split(separator: "\n")
        #expect(lines.count == count, "\(table)")
        #expect(try server.get("\(address).html").status == 200, "\(table)")
    }

    private func expectFound(
        _ id: String,
        _ column: String,
        _ cell: Cell,
        at address: String,
        by server: RosterProcess
    ) throws {
        let condition: String
        switch cell {
        case .null: condition = "__isnull=true"
        case .boolean(let value): condition = "=\(value)"
        case .number(let value):
            condition = "=" + escaped(Int(exactly: value).map { "\($0)" } ?? "\(value)")
        case .text(let value): condition = "=\(escaped(value))"
        // Bytes are named by links alone.
        case .bytes: return
        }
        let answer = try server.get("\(address).json?limit=500&\(escaped(column))\(condition)")
        guard answer.status == 200 else {
            #expect(answer.status == 400, "\(address) \(column) \(cell): \(answer.text)")
            return
        }
        let page = try JSONDecoder().decode(ListPage.self, from: Data(answer.body))
        let isShownAsNull = cell == .null
        // A blob is shown as null and is none.
        #expect(isShownAsNull || page.ids.contains(id), "\(address) \(column) \(cell)")
    }
}
