import Listings

/// It needs no function in the foreign database.
///
/// The characters of ``TextCollation`` and ``TextSearch`` are listed explicitly. So results equal
/// those of all other engines, regardless of the server's Unicode version.
enum CaseFoldingSQL {
    /// They come first because the server searches the list from its beginning.
    private static let common =
        "eainorstlducmhgpbyfvkwzjxq0123456789 .-@,оеаинтсрвлкмдпуяыьгзбчхжшюцщэфъ"
        + "αοιετσνηυρπκμλωδγχθφβξζψ"

    /// The characters beyond ASCII that fold to another one and do not decompose.
    private static let folding = CharacterSQL.cased.filter {
        TextCollation.folded(String($0)) != String($0)
    }

    private static let letters: String = {
        var from = common.unicodeScalars
        from.append(contentsOf: folding)
        let to = common + folding.map { TextCollation.folded(String($0)) }.joined()
        return "'\(String(from))', '\(to)'"
    }()

    private static let changing = CharacterSQL.ranges(where: Set(folding).contains)

    private static let partsOfWords =
        "a-z0-9" + CharacterSQL.ranges(where: TextSearch.isPartOfWord)

    /// The word characters of scripts without spaces, for a character class.
    private static let unspaced = CharacterSQL.ranges {
        TextSearch.isUnspaced($0) && TextSearch.isPartOfWord($0)
    }

    /// With collation "C", `lower` affects only ASCII.
    static func folded(_ text: String) -> String {
        """
        CASE WHEN octet_length(\(text)) = length(\(text)) THEN lower(\(text)) ELSE (SELECT \
        CASE WHEN base ~ '[\(changing)]' THEN translate(lower(base), \(letters)) ELSE lower(base) END \
        FROM (SELECT \(CharacterSQL.bases(text)) AS base OFFSET 0) AS bases) END
        """
    }

    /// Returns SQL for `TextSearch.words(of:)` of a folded text, with more spaces at its ends.
    static func words(_ folded: String) -> String { "' ' || \(separatedWords(folded)) || ' '" }

    /// First it isolates runs of unspaced scripts, then it removes other characters, and finally it
    /// splits the runs into characters.
    private static func separatedWords(_ folded: String) -> String {
        """
        regexp_replace(regexp_replace(regexp_replace(\(folded), \
        '([\(unspaced)]+)', ' \\1 ', 'g'), '[^\(partsOfWords)]+', ' ', 'g'), \
        '(?<=[\(unspaced)])([\(unspaced)])', '\\1 \\1', 'g')
        """
    }

    static func joined(_ texts: [String]) -> String {
        "(\(texts.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || "))) COLLATE \"C\""
    }

    /// The server finds an index only by the same expression.
    static func words(joined texts: String) -> String {
        words("translate(lower(\(CharacterSQL.bases(texts))), \(letters))")
    }

    static func trimmedWords(_ folded: String) -> String {
        "btrim(\(separatedWords(folded)))"
    }

    static let function = IndexFunction("words", words(joined: "$1"))
}
