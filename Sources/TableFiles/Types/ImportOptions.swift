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

    /// The types that can be set for a column of a file.
    package static let allowedTypes = ColumnType.allCases.filter { $0 != .bytes }

    /// The texts of CSV or TSV fields that mean null.
    package var missing: [String]
    /// The types of columns.
    package var types: Types

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
        let marks =
            missing.isEmpty ? "" : "\nmissing " + Set(missing).sorted().joined(separator: ",")
        switch types {
        case .found: return marks
        case .text: return marks + "\ntypes text"
        case .named(let types):
            let pairs = types.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.rawValue)" }
            return marks + "\ntypes " + pairs.joined(separator: ",")
        }
    }
}
