import Database
package import Postgres
package import Remote

/// A source as it stands on the command line: `people.csv`, `users=people.csv`, or the address of a
/// list that another service has.
package struct SourceArgument: Hashable, Sendable {
    /// The name given to the list; nil takes the file's.
    package let name: String?
    /// The path of the file, or the address.
    package let path: String
    /// The address of a list that another service has, where the source is one.
    package let address: RemoteAddress?
    /// The address of a PostgreSQL database, where the source is one.
    package let postgres: PostgresAddress?

    /// Reads an argument.
    ///
    /// What stands before the first `=` is a name, unless it holds a `/`: a path with a `=` is
    /// written `./a=b.csv`.
    ///
    /// - Throws: ``ConfigurationError/invalidListName(_:)``,
    ///   ``ConfigurationError/unknownSource(_:)``, ``ConfigurationError/invalidAddress(_:)`` or
    ///   ``ConfigurationError/ambiguousAddress(_:)``.
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
        postgres = PostgresAddress(path)
        if let postgres, postgres.isAmbiguous { throw .ambiguousAddress(postgres.masked) }
        guard path.contains("://"), postgres == nil else {
            address = nil
            guard !path.isEmpty else { throw .unknownSource(text) }
            return
        }
        do throws(RemoteError) { address = try RemoteAddress(path) } catch {
            throw .invalidAddress(Self.masked(path))
        }
    }

    /// An address without what may be secret: the part before `@` and the query.
    private static func masked(_ address: String) -> String {
        let scheme = address.prefix { $0 != ":" } + "://"
        let rest = address.dropFirst(scheme.count)
        let place = rest.lastIndex(of: "@").map { "…" + rest[$0...] } ?? String(rest)
        let query = place.firstIndex(of: "?")
        return scheme + (query.map { place[..<$0] + "?…" } ?? place)
    }

    /// The name of the list: the one given, else that of the file, or for an address without a
    /// file's name that of the server.
    package var listName: String {
        if let name { return name }
        guard let address else { return FileFormat.name(ofFileAt: path) }
        let path = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
        let file = FileFormat.name(ofFileAt: path)
        return file.isEmpty ? address.host : file
    }

    /// Whether the source is a database, which is opened rather than imported.
    package var isDatabase: Bool {
        postgres != nil || address == nil && FileFormat(path: path) == .database
    }

    /// The source as it may be shown: without a password.
    package var shown: String { postgres?.masked ?? path }

    /// Whether the source is a file to import.
    package var isFile: Bool { address == nil && !isDatabase }

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
