/// The names of the sheets of a workbook, which differ even if case is ignored.
struct SheetNames {
    /// The maximum length of a name, in UTF-16 code units.
    static let maximumLength = 31

    private var taken: Set<String> = []

    /// Returns a valid name for a sheet that no earlier sheet has.
    ///
    /// Characters that Excel does not allow become `_`. A name that an earlier sheet has gets a
    /// number.
    mutating func name(for title: String) -> String {
        let base = Self.valid(title)
        var name = Self.shortened(base, to: Self.maximumLength)
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            let suffix = " (\(number))"
            name = Self.shortened(base, to: Self.maximumLength - suffix.utf16.count) + suffix
            number += 1
        }
        return name
    }

    private static func valid(_ title: String) -> String {
        var name = ""
        // Shortening a long title would take quadratic time.
        for scalar in title.prefix(maximumLength).unicodeScalars {
            let isInvalid =
                "[]:*?/\\".unicodeScalars.contains(scalar)
                || (0xFFFE...0xFFFF).contains(scalar.value)
                || scalar.properties.generalCategory == .control
            name.unicodeScalars.append(isInvalid ? "_" : scalar)
        }
        if name.allSatisfy({ $0 == " " }) { name = "Sheet" }
        if name.first == "'" { name = "_" + name.dropFirst() }
        // Excel reserves the name for the log of changes.
        return name.lowercased() == "history" ? name + "_" : name
    }

    private static func shortened(_ name: String, to length: Int) -> String {
        var name = name
        while name.utf16.count > length {
            if name.count > 1 { name.removeLast() } else { name = "Sheet" }
        }
        return name.last == "'" ? name.dropLast() + "_" : name
    }
}
