import Listings

/// ``TextCollation/initial(of:)`` in SQL that needs no function of ours in somebody's database.
enum InitialSQL {
    /// The literals of `translate`: characters before U+0250, and their initials.
    ///
    /// Most texts begin with one of them, and none of them is left out.
    private static let latin = literals((0x01..<0x250).compactMap(Unicode.Scalar.init))

    /// The same for the letters of all scripts that do not decompose.
    private static let capitals = literals(
        (0x41...0x7A).compactMap(Unicode.Scalar.init)
            + CharacterSQL.folding.filter { isLetter($0) && !TextCollation.decomposes($0) }
    )

    /// The marks that are left out before a letter.
    private static let marks: String = {
        var marks = String.UnicodeScalarView()
        for scalar in CharacterSQL.folding where TextCollation.folded(String(scalar)).isEmpty {
            marks.append(scalar)
        }
        return "'\(String(marks))'"
    }()

    /// The letters, as a regular expression.
    private static let letters = "'[A-Z\(CharacterSQL.ranges(where: isLetter))]'"

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic
            && TextCollation.initial(of: String(scalar)) != TextCollation.noLetter
    }

    private static func literals(_ scalars: [Unicode.Scalar]) -> String {
        var from = String.UnicodeScalarView()
        var to = ""
        for scalar in scalars {
            let initial = TextCollation.initial(of: String(scalar))
            guard initial != String(scalar) else { continue }
            from.append(scalar)
            if scalar == "'" { from.append(scalar) }
            to += initial
        }
        return "'\(String(from))', '\(to)'"
    }

    /// The initial of an expression; null for null.
    ///
    /// Every collation but "C" has letters of its own, and those that are not deterministic know no
    /// patterns.
    static func expression(_ text: String) -> String {
        let text = "(\(text))::text COLLATE \"C\""
        let first = "left(\(text), 1)"
        let base = "left(normalize(left(ltrim(\(text), \(marks)), 1), NFD), 1)"
        return """
            CASE WHEN \(first) < U&'\\0250' THEN \
            translate(coalesce(nullif(\(first), ''), '#'), \(latin)) \
            WHEN \(first) IS NOT NULL THEN \
            coalesce(substring(translate(\(base), \(capitals)) FROM \(letters)), '#') END
            """
    }
}
