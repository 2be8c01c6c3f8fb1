import Listings

/// SQL for ``TextCollation/initial(of:)`` that needs no function in the foreign database.
enum FirstLetterSQL {
    /// Most texts begin with one of them, and none of them is removed.
    ///
    /// English letters come first, because the server searches the list from its beginning.
    private static let latin = literals(
        english + (0x01..<0x250).compactMap(Unicode.Scalar.init).filter { !english.contains($0) }
    )

    private static let capitals = literals(english + CharacterSQL.cased)

    private static let english = (0x41...0x5A).flatMap { (letter: UInt8) in
        [Unicode.Scalar(letter), Unicode.Scalar(letter + 0x20)]
    }

    private static let cased =
        "'[A-Za-z\(CharacterSQL.ranges(where: Set(CharacterSQL.cased).contains))]'"

    private static let letters =
        "'[\(CharacterSQL.ranges { $0.properties.isAlphabetic && !TextCollation.isDropped($0) })]'"

    private static func literals(_ scalars: [Unicode.Scalar]) -> String {
        var from = String.UnicodeScalarView()
        for scalar in scalars {
            from.append(scalar)
            if scalar == "'" { from.append(scalar) }
        }
        let to = scalars.map { TextCollation.initial(of: String($0)) }.joined()
        return "'\(String(from))', '\(to)'"
    }

    /// Collation "C" is required, because others order letters differently, and nondeterministic
    /// ones support no patterns.
    ///
    /// Latin letters and ideographs avoid patterns.
    static func expression(_ text: String) -> String {
        let text = "(\(text))::text COLLATE \"C\""
        let first = "left(\(text), 1)"
        let unmarked = "substring(\(text) FROM '[^\(CharacterSQL.marks)]')"
        let base = "left(normalize(\(unmarked), NFD), 1)"
        return """
            CASE WHEN \(first) < U&'\\0250' THEN \
            translate(coalesce(nullif(\(first), ''), '#'), \(latin)) \
            WHEN \(first) BETWEEN U&'\\3400' AND U&'\\4DBF' OR \(first) BETWEEN U&'\\4E00' AND \
            U&'\\9FFC' THEN \(first) \
            WHEN \(first) IS NOT NULL THEN coalesce(CASE WHEN \(base) ~ \(cased) \
            THEN translate(\(base), \(capitals)) ELSE substring(\(base) FROM \(letters)) END, '#') END
            """
    }

    static let function = IndexFunction("initial", expression("$1"))
}
