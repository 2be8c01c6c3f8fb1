import Listings

/// Texts without case and accents, and their words, in SQL that needs no function of ours in
/// somebody's database.
///
/// The characters are those of ``TextCollation`` and ``TextSearch``, written out, so that the answers
/// are those of every other engine whatever the server knows of Unicode.
enum FoldingSQL {
    /// The characters that stand for themselves and are found first, as most texts are made of them:
    /// the server looks for every character from the beginning.
    private static let common =
        "eainorstlducmhgpbyfvkwzjxq0123456789 .-@,оеаинтсрвлкмдпуяыьгзбчхжшюцщэфъ"
        + "αοιετσνηυρπκμλωδγχθφβξζψ"

    /// The characters behind ASCII that fold to another one and do not decompose.
    private static let folding = CharacterSQL.cased.filter {
        TextCollation.folded(String($0)) != String($0)
    }

    /// The literals of `translate`: the characters that fold to another, and these.
    private static let letters: String = {
        var from = common.unicodeScalars
        from.append(contentsOf: folding)
        let to = common + folding.map { TextCollation.folded(String($0)) }.joined()
        return "'\(String(from))', '\(to)'"
    }()

    /// The characters that fold to another, as a regular expression has them between brackets.
    private static let changing = CharacterSQL.ranges(where: Set(folding).contains)

    /// The characters of words, as a regular expression has them between brackets.
    private static let partsOfWords =
        "a-z0-9" + CharacterSQL.ranges(where: TextSearch.isPartOfWord)

    /// Those of scripts without spaces, likewise.
    private static let unspaced = CharacterSQL.ranges {
        TextSearch.isUnspaced($0) && TextSearch.isPartOfWord($0)
    }

    /// `TextCollation.folded(_:)` of a text, whose collation is "C": there `lower` knows ASCII alone.
    static func folded(_ text: String) -> String {
        """
        CASE WHEN octet_length(\(text)) = length(\(text)) THEN lower(\(text)) ELSE (SELECT \
        CASE WHEN base ~ '[\(changing)]' THEN translate(lower(base), \(letters)) ELSE lower(base) END \
        FROM (SELECT \(CharacterSQL.bases(text)) AS base OFFSET 0) AS bases) END
        """
    }

    /// `TextSearch.words(of:)` of a folded text, but for further spaces at its ends.
    static func words(_ folded: String) -> String { "' ' || \(separatedWords(folded)) || ' '" }

    /// The words of a folded text: runs without spaces stand alone, then only what makes words stays,
    /// and then each character of a run but its first ends one word and begins another.
    private static func separatedWords(_ folded: String) -> String {
        """
        regexp_replace(regexp_replace(regexp_replace(\(folded), \
        '([\(unspaced)]+)', ' \\1 ', 'g'), '[^\(partsOfWords)]+', ' ', 'g'), \
        '(?<=[\(unspaced)])([\(unspaced)])', '\\1 \\1', 'g')
        """
    }

    /// The texts of a row as one, nulls among them.
    static func joined(_ texts: [String]) -> String {
        "(\(texts.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || "))) COLLATE \"C\""
    }

    /// The words of texts that are one: as the function that indexes are made by has it, in just these
    /// words, because the server looks up an index for what is written like it.
    static func words(joined texts: String) -> String {
        words("translate(lower(\(CharacterSQL.bases(texts))), \(letters))")
    }

    /// The words of a folded text, without spaces at its ends.
    static func trimmedWords(_ folded: String) -> String {
        "btrim(\(separatedWords(folded)))"
    }

    /// The function of a text that gives its words, for indexes.
    static let function = IndexFunction("words", words(joined: "$1"))
}
