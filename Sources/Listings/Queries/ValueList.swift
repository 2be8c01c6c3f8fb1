/// A list of values in one parameter, separated by commas.
///
/// A value with a comma or a leading quotation mark is quoted as in CSV (RFC 4180).
package enum ValueList {
    /// Nil for an open quote, text after a quote, or an empty value without quotes.
    ///
    /// Reads scalar by scalar, so that an accent after a comma or a quotation mark keeps its
    /// meaning.
    package static func values(of text: String) -> [String]? {
        var values: [String] = []
        var rest = Substring(text).unicodeScalars
        while true {
            guard let value = takeValue(&rest) else { return nil }
            values.append(value)
            guard let separator = rest.popFirst() else { return values }
            guard separator == "," else { return nil }
        }
    }

    private static func takeValue(_ rest: inout Substring.UnicodeScalarView) -> String? {
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != "," }
            rest = rest[value.endIndex...]
            return value.isEmpty ? nil : String(value)
        }
        rest.removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            guard scalar == "\"" else {
                value.append(scalar)
                continue
            }
            guard rest.first == "\"" else { return String(value) }
            value.append(scalar)
            rest.removeFirst()
        }
        return nil
    }

    package static func text(of values: [String]) -> String {
        values.map { value in
            let scalars = value.unicodeScalars
            let isPlain = !scalars.isEmpty && scalars.first != "\"" && !scalars.contains(",")
            if isPlain { return value }
            let pieces = scalars.split(separator: "\"", omittingEmptySubsequences: false)
            return "\"" + pieces.map(String.init).joined(separator: "\"\"") + "\""
        }
        .joined(separator: ",")
    }
}
