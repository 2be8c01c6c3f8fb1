/// Several values in one parameter: between commas, and between quotation marks where a value has a
/// comma or begins with a quotation mark, which is doubled inside, as in CSV (RFC 4180).
enum ValueList {
    /// Takes a list apart; nil for a quote that is not closed, or text behind one, or an empty value
    /// without quotes.
    static func values(of text: String) -> [String]? {
        var values: [String] = []
        var rest = Substring(text)
        while true {
            guard let value = takeValue(&rest) else { return nil }
            values.append(value)
            guard let separator = rest.popFirst() else { return values }
            guard separator == "," else { return nil }
        }
    }

    private static func takeValue(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != "," }
            rest = rest[value.endIndex...]
            return value.isEmpty ? nil : String(value)
        }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst() {
            guard character == "\"" else {
                value.append(character)
                continue
            }
            guard rest.first == "\"" else { return value }
            value.append(character)
            rest.removeFirst()
        }
        return nil
    }

    /// Joins values to a list.
    static func text(of values: [String]) -> String {
        values.map { value in
            let isPlain = !value.isEmpty && !value.hasPrefix("\"") && !value.contains(",")
            if isPlain { return value }
            let pieces = value.split(separator: "\"", omittingEmptySubsequences: false)
            return "\"" + pieces.joined(separator: "\"\"") + "\""
        }
        .joined(separator: ",")
    }
}
