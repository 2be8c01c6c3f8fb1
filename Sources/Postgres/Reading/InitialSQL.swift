import Listings

/// The first letter of a text, in SQL that needs no function of ours in somebody's database.
///
/// It is ``TextCollation/initial(of:)`` for Latin, Greek, Cyrillic and Armenian letters; of other
/// scripts the server says what is a letter, and letters stay as they are.
enum InitialSQL {
    /// The scripts that are translated letter by letter.
    private static let translated: [ClosedRange<UInt32>] = [0x01...0x058F, 0x1E00...0x1FFF]

    /// Two literals for `translate`: what is no initial by itself, and the initials of it.
    private static let letters: String = {
        var from = ""
        var to = ""
        for value in translated.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let initial = TextCollation.initial(of: String(scalar))
            guard initial != String(scalar) else { continue }
            from.unicodeScalars.append(scalar)
            if scalar == "'" { from.unicodeScalars.append(scalar) }
            to += initial
        }
        return "'\(from)', '\(to)'"
    }()

    /// The initial of an expression; null for null.
    static func expression(_ text: String) -> String {
        let first = "left(\(text)::text, 1)"
        return """
            CASE WHEN \(first) COLLATE "C" < U&'\\0590' OR \(first) COLLATE "C" \
            BETWEEN U&'\\1E00' AND U&'\\1FFF' THEN translate(coalesce(nullif(\(first), ''), '#'), \
            \(letters)) WHEN \(first) ~ '[[:alpha:]]' THEN \(first) \
            WHEN \(text) IS NOT NULL THEN '#' END
            """
    }
}
