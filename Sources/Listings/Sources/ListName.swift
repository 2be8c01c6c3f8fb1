package enum ListName {
    /// It must have visible characters and no slash.
    ///
    /// `-`, `.`, `..` and names reserved by the database are not allowed.
    package static func isAllowed(_ name: String) -> Bool {
        let lower = name.lowercased()
        let isReserved =
            lower.hasPrefix("sqlite_") || lower.hasPrefix("roster_") || name == "-" || name == "."
            || name == ".."
        return !name.isEmpty && !isReserved && name.unicodeScalars.allSatisfy(isAllowed)
    }

    /// Returns the name without spaces around it, with `-` for each slash and control character.
    ///
    /// A result that is reserved or empty follows `table-`.
    package static func allowed(from name: String) -> String {
        var allowed = ""
        for scalar in name.unicodeScalars {
            allowed.unicodeScalars.append(isAllowed(scalar) ? scalar : "-")
        }
        while allowed.last == " " { allowed.removeLast() }
        allowed = String(allowed.drop { $0 == " " })
        return isAllowed(allowed) ? allowed : "table-" + allowed
    }

    /// A number from 2 is appended if the name is taken.
    ///
    /// `taken` has names in lower case.
    package static func free(_ name: String, besides taken: Set<String>) -> String {
        guard taken.contains(name.lowercased()) else { return name }
        var number = 2
        while taken.contains("\(name.lowercased())-\(number)") { number += 1 }
        return "\(name)-\(number)"
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0x7F && scalar != "/"
    }
}
