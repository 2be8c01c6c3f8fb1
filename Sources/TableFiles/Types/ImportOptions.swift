package import Listings

/// The options for importing a file as a list.
package struct ImportOptions: Hashable, Sendable {
    /// The types of columns.
    package enum Types: Hashable, Sendable {
        /// Types determined by most values.
        case found
        /// Text for every column, so that values stay as they are spelled.
        case text
        /// Types for certain columns by their ids. Other columns get the type of most values.
        case named([String: ColumnType])
    }

    /// The treatment of values after the last column of a header.
    package enum ExtraValues: String, Hashable, Sendable, CaseIterable {
        /// The row is an error.
        case error
        /// The values become further columns.
        case column
        /// The values are dropped and counted.
        case drop
    }

    /// The types that can be set for a column of a file.
    package static let allowedTypes = ColumnType.allCases.filter { $0 != .bytes }

    /// The texts of fields of delimited files that mean null.
    package var missing: [String]
    /// The types of columns.
    package var types: Types
    /// The byte between the fields of delimited files; nil detects it.
    package var delimiter: UInt8?
    /// The byte around quoted fields, or 0 for no quoting; nil detects it.
    package var quote: UInt8?
    /// The encoding of the file; nil detects it.
    package var encoding: TextEncoding?
    /// Whether the first line names the columns; nil detects it.
    package var hasHeader: Bool?
    /// The number of lines to skip before the header; nil detects it.
    package var skippedLines: Int?
    /// The number of lines after the data that are no rows; nil detects them.
    package var footerLines: Int?
    /// Whether numbers have a decimal comma; nil detects it.
    package var hasDecimalComma: Bool?
    /// The columns that together are the ids of rows.
    ///
    /// Without any, a column named `id` is used, or the rows are numbered.
    package var key: [String] = []
    /// The path of the rows in a JSON document; nil finds them.
    package var rowsAt: String?
    /// The treatment of values after the last column of a header.
    package var extraValues = ExtraValues.error

    /// Creates options.
    ///
    /// By default, files are imported unchanged.
    package init(missing: [String] = [], types: Types = .found) {
        self.missing = missing
        self.types = types
    }

    /// The sorted ids of columns with a set type.
    package var namedColumns: [String] {
        guard case .named(let types) = types else { return [] }
        return types.keys.sorted()
    }

    /// The set type of a column, or nil if its values determine the type.
    func type(of column: String) -> ColumnType? {
        switch types {
        case .found: nil
        case .text: .text
        case .named(let types): types[column]
        }
    }

    /// A text that identifies the options.
    ///
    /// Empty for default options.
    package var text: String {
        var parts: [String] = []
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
        if let encoding { parts.append("encoding \(encoding.name)") }
        if let hasHeader { parts.append("header \(hasHeader)") }
        if let skippedLines { parts.append("skip \(skippedLines)") }
        if let footerLines { parts.append("footer \(footerLines)") }
        if let hasDecimalComma { parts.append("decimal comma \(hasDecimalComma)") }
        if !key.isEmpty { parts.append("key " + key.joined(separator: ",")) }
        if let rowsAt { parts.append("rows at \(rowsAt)") }
        if extraValues != .error { parts.append("extra \(extraValues)") }
        return parts.map { "\n" + $0 }.joined()
    }
}
