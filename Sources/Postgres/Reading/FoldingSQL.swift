import Listings

/// Texts without case and accents, and their words, in SQL that needs no function of ours in
/// somebody's database.
///
/// The characters are those of ``TextCollation`` and ``TextSearch``, written out, so that the answers
/// are those of every other engine whatever the server knows of Unicode.
enum FoldingSQL {
    /// The characters that stand for themselves and are found first, as most texts are made of them:
    /// the server looks for every character from the beginning.
    private static let common = "eainorstlducmhgpbyfvkwzjxq0123456789 .-@,"

    /// Two literals for `translate`: the characters that fold to another, and these; the first one is
    /// longer by those that fold to nothing.
    private static let letters: String = {
        var from = common.unicodeScalars
        var to = from
        var dropped = String.UnicodeScalarView()
        for value in [0x80...0x312F, 0xA640...0xABFF, 0xF900...0x1_FFFF].joined() {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let folded = TextCollation.folded(String(scalar)).unicodeScalars
            guard let first = folded.first else {
                dropped.append(scalar)
                continue
            }
            guard first != scalar else { continue }
            from.append(scalar)
            to.append(first)
        }
        return "'\(String(from))\(String(dropped))', '\(String(to))'"
    }()

    /// The characters of words, as a regular expression has them between brackets.
    private static let partsOfWords: String = {
        var ranges: [ClosedRange<UInt32>] = []
        for value in [0x80...0x3_FFFF, 0xE_0000...0xE_0FFF].joined() {
            let value = UInt32(value)
            guard let scalar = Unicode.Scalar(value), TextSearch.isPartOfWord(scalar) else {
                continue
            }
            if let last = ranges.last, last.upperBound == value - 1 {
                ranges[ranges.count - 1] = last.lowerBound...value
            } else {
                ranges.append(value...value)
            }
        }
        let ends = ranges.compactMap { range in
            Unicode.Scalar(range.lowerBound).flatMap { lower in
                Unicode.Scalar(range.upperBound).map { "\(lower)-\($0)" }
            }
        }
        return "a-z0-9" + ends.joined()
    }()

    /// `TextCollation.folded(_:)` of a text, whose collation is "C": there `lower` knows ASCII alone.
    static func folded(_ text: String) -> String {
        let small = "lower(\(text))"
        return """
            CASE WHEN octet_length(\(text)) = length(\(text)) THEN \(small) \
            ELSE translate(\(small), \(letters)) END
            """
    }

    /// `TextSearch.words(of:)` of a folded text, but for further spaces at its ends.
    static func words(_ folded: String) -> String {
        "' ' || regexp_replace(\(folded), '[^\(partsOfWords)]+', ' ', 'g') || ' '"
    }

    /// The texts of a row as one, nulls among them.
    static func joined(_ texts: [String]) -> String {
        "(\(texts.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || "))) COLLATE \"C\""
    }

    /// The words of texts that are one: as the function that indexes are made by has it, in just these
    /// words, because the server looks up an index for what is written like it.
    static func words(joined texts: String) -> String {
        words("translate(lower(\(texts)), \(letters))")
    }

    /// The words of a folded text, without spaces at its ends.
    static func trimmedWords(_ folded: String) -> String {
        "btrim(regexp_replace(\(folded), '[^\(partsOfWords)]+', ' ', 'g'))"
    }

    /// The name of the function of one text that gives its words, and the statement that makes it.
    ///
    /// The server itself puts what the function does in its place, so no question names it. An index
    /// is small enough by it: the characters take more room than one may have. What it does is part of
    /// its name, for who changes it would change what is found.
    static let function: (name: String, statement: String) = {
        let body = words(joined: "$1")
        // FNV-1a, 32 bits (RFC 9923).
        let hash = body.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let name = "roster_words_\(String(hash, radix: 16))"
        return (
            name,
            "CREATE OR REPLACE FUNCTION \(name)(text) RETURNS text LANGUAGE sql IMMUTABLE "
                + "PARALLEL SAFE AS $roster$ SELECT \(body) $roster$;"
        )
    }()
}
