import Listings
import SQLite
import TestSupport

extension ListFixture {
    /// A stored list of many people, made by the engine at once.
    static func people(
        _ count: Int,
        name: String,
        city: String,
        in folder: TemporaryFolder
    ) throws -> ListFixture {
        var random = SeededGenerator(seed: 1)
        let list = try ListFixture(.stored, rows: 0, idType: .integer, using: &random, in: folder)
        try list.writer.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            \(insertion) SELECT i, 1, \(name), \(city),
              CASE WHEN i % 11 = 0 THEN NULL ELSE i % 90 END, i * 0.5, i % 2, '2020-01-01' FROM n;
            UPDATE roster_lists SET counter = counter + 1;
            """
        )
        return list
    }
}
