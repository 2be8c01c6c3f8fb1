import Database

/// A source as it stands on the command line: `people.csv`, or `users=people.csv`.
package struct SourceArgument: Hashable, Sendable {
    /// The name given to the list; nil takes the file's.
    package let name: String?
    /// The path of the file.
    package let path: String

    /// Reads an argument.
    ///
    /// What stands before the first `=` is a name, unless it holds a `/`: a path with a `=` is
    /// written `./a=b.csv`.
    ///
    /// - Throws: ``ConfigurationError/invalidListName(_:)`` or
    ///   ``ConfigurationError/unknownSource(_:)``.
    package init(_ text: String) throws(ConfigurationError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[0].contains("/") {
            name = String(parts[0])
            path = String(parts[1])
        } else {
            name = nil
            path = text
        }
        if let name { try Self.check(name) }
        guard !path.isEmpty, !path.contains("://") else { throw .unknownSource(text) }
    }

    /// Whether the source is a database, which is opened rather than imported.
    package var isDatabase: Bool { FileFormat(path: path) == .database }

    /// Whether a list may be called so: visible characters, no slash, not `-`, and no name that the
    /// database keeps for itself.
    package static func check(_ name: String) throws(ConfigurationError) {
        let lower = name.lowercased()
        let isReserved =
            lower.hasPrefix("sqlite_") || lower.hasPrefix("roster_") || name == "-" || name == "."
            || name == ".."
        let isVisible = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard !name.isEmpty, !isReserved, isVisible, !name.contains("/") else {
            throw .invalidListName(name)
        }
    }
}
