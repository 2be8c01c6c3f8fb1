package import Listings

/// The choices by which a file becomes a list.
package struct ImportOptions: Hashable, Sendable {
    /// The types that columns are presented as.
    package enum Types: Hashable, Sendable {
        /// The types of most values.
        case found
        /// Text: every value is its spelling.
        case text
        /// The types of columns by their ids; most values decide for all others.
        case named([String: ColumnType])
    }

    /// The types that a column of a file can be given.
    package static let allowedTypes = ColumnType.allCases.filter { $0 != .bytes }

    /// The texts that are no value where they are a whole field of CSV or TSV.
    package var missing: [String]
    /// The types that columns are presented as.
    package var types: Types

    /// Creates options; without any, files are imported as they are.
    package init(missing: [String] = [], types: Types = .found) {
        self.missing = missing
        self.types = types
    }

    /// The columns that are given a type, by their ids in order.
    package var namedColumns: [String] {
        guard case .named(let types) = types else { return [] }
        return types.keys.sorted()
    }

    /// The type that a column is given; nil where its values decide.
    func type(of column: String) -> ColumnType? {
        switch types {
        case .found: nil
        case .text: .text
        case .named(let types): types[column]
        }
    }

    /// The options as a text that is another one for others; empty without any.
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
