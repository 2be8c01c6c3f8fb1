import Database
import Listings

/// The FTS5 table that finds the rows of a large imported list by three letters in a row.
///
/// It narrows the conditions `contains`, `startswith` and `endswith`, which then compare the texts
/// themselves. It contains the folded texts of all searchable columns, without their columns and
/// positions (`detail=none`), because that halves its size and time.
enum TrigramIndex {
    /// A smaller list is read faster than an index is made.
    static let minimumRows = 50_000
    private static let length = 3
    /// FTS5 reads all rows of each, and a few exclude most rows.
    private static let maximumTrigrams = 4

    static func name(of table: String) -> String { "roster_\(table)_trigrams" }

    static func index(of table: TableDescription, schema: ListSchema) -> FullTextIndex? {
        FullTextIndex(
            name: name(of: table.name),
            table: table,
            columns: schema.searchable,
            options: "content='', detail=none, tokenize = \"trigram case_sensitive 1\""
        ) { texts in
            [
                texts.map { "coalesce(roster_folded(\($0)), '')" }
                    .joined(separator: " || char(10) || ")
            ]
        }
    }

    static func isHelpful(for text: String) -> Bool {
        text.unicodeScalars.count >= length && !text.utf8.contains(0)
    }

    /// Trigrams with digits come first, because words repeat more often than numbers.
    static func query(for text: String) -> String {
        let letters = Array(text.unicodeScalars)
        var (numbers, words): ([String], [String]) = ([], [])
        for start in 0..<max(0, letters.count - length + 1) {
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: letters[start..<start + length])
            let trigram = String(scalars)
            guard !numbers.contains(trigram), !words.contains(trigram) else { continue }
            if trigram.utf8.contains(where: isDigit) {
                numbers.append(trigram)
            } else {
                words.append(trigram)
            }
        }
        let chosen = spread(numbers, maximumTrigrams)
        return (chosen + spread(words, maximumTrigrams - chosen.count))
            .compactMap(SQLName.quoted).joined(separator: " AND ")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func spread(_ all: [String], _ count: Int) -> [String] {
        guard all.count > count else { return all }
        return (0..<count).map { all[$0 * all.count / count] }
    }
}
