package import Listings

package struct ImportOptions: Hashable, Sendable {
    package enum Types: Hashable, Sendable {
        case found
        case text
        /// Types for certain columns by their ids. Other columns get the type of most values.
        case named([String: ColumnType])
    }

    package enum ExtraValues: String, Hashable, Sendable, CaseIterable {
        case error
        case column
        case drop
    }

    /// Texts that often mean no value.
    package static let markers: Set<String> = [
        "NA", "N/A", "n/a", "null", "NULL", "None", "-", "--", ".", "?", "\\N",
    ]

    package static let allowedTypes = ColumnType.allCases.filter { $0 != .bytes }

    /// The texts of fields of delimited files that mean null.
    package var missing: [String]
    package var types: Types
    package var delimiter: UInt8?
    /// 0 for no quoting.
    package var quote: UInt8?
    /// The sign at the beginning of lines that are no rows; 0 for none.
    package var comment: UInt8?
    package var encoding: TextEncoding?
    package var hasHeader: Bool?
    /// Before the header.
    package var skippedLines: Int?
    /// Lines after the data that are no rows.
    package var footerLines: Int?
    package var hasDecimalComma: Bool?
    /// The sign between thousands; nil if the values of a column decide.
    package var thousands: NumberSpelling.Thousands?
    /// The order of dates in digits; nil if the values of a column decide.
    package var dates: TimeSpelling.Order?
    /// Without any, a column named `id` is used, or the rows are numbered.
    package var key: [String] = []
    package var rowsAt: String?
    package var extraValues = ExtraValues.error
    /// The columns of an export of Roster as it describes them, by their names in the file.
    package private(set) var declared: [String: ColumnForm] = [:]

    package init(missing: [String] = [], types: Types = .found) {
        self.missing = missing
        self.types = types
    }

    package var namedColumns: [String] {
        guard case .named(let types) = types else { return [] }
        return types.keys.sorted()
    }

    /// Nil if the values decide.
    package func type(of column: String) -> ColumnType? {
        switch types {
        case .found: nil
        case .text: .text
        case .named(let types): types[column]
        }
    }

    /// The rules for values, by number; with other ones, a file is imported again.
    private static let rules = 2

    package var text: String {
        var parts = ["values \(Self.rules)"]
        if !missing.isEmpty {
            parts.append("missing " + Set(missing).sorted().joined(separator: ","))
        }
        switch types {
        case .found: break
        case .text: parts.append("types text")
        case .named(let types):
            let pairs = types.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.rawValue)" }
            parts.append("types " + pairs.joined(separator: ","))
        }
        if let delimiter { parts.append("delimiter \(delimiter)") }
        if let quote { parts.append("quote \(quote)") }
        if let comment { parts.append("comment \(comment)") }
        if let encoding { parts.append("encoding \(encoding.name)") }
        if let hasHeader { parts.append("header \(hasHeader)") }
        if let skippedLines { parts.append("skip \(skippedLines)") }
        if let footerLines { parts.append("footer \(footerLines)") }
        if let hasDecimalComma { parts.append("decimal comma \(hasDecimalComma)") }
        if let thousands { parts.append("thousands \(thousands.rawValue)") }
        if let dates { parts.append("dates \(dates.rawValue)") }
        if !key.isEmpty { parts.append("key " + key.joined(separator: ",")) }
        if let rowsAt { parts.append("rows at \(rowsAt)") }
        if extraValues != .error { parts.append("extra \(extraValues)") }
        return parts.map { "\n" + $0 }.joined()
    }

    /// The values of a column decide how they are spelled.
    var withoutSpellings: ImportOptions {
        var options = self
        (options.dates, options.thousands) = (nil, nil)
        if hasDecimalComma == false { options.hasDecimalComma = nil }
        return options
    }

    /// With the decimal comma and the descriptions of columns that a file was found to have.
    package func completed(by findings: FileFindings) -> ImportOptions {
        var options = self
        if findings.dialect?.hasDecimalComma == true { options.hasDecimalComma = true }
        options.declared = findings.sheet?.columns ?? [:]
        return options
    }
}
