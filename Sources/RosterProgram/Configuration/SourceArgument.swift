import Database
package import ListAPI
import Listings
package import Postgres
package import RemoteLists
import TableFiles

/// A source of the command line: `people.csv`, `users=people.csv`, `shop.db#orders`, or a URL.
package struct SourceArgument: Hashable, Sendable {
    /// The given name of the list; nil uses that of the file.
    package let name: String?
    package let path: String
    /// The only table of a database that is served; nil serves all.
    package let table: String?
    package let address: RemoteAddress?
    package let postgres: PostgresAddress?

    /// Reads an argument.
    ///
    /// The text before the first `=` is a name, unless it contains a `/`. A path with a `=` can be
    /// written as `./a=b.csv`.
    package init(_ text: String) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isNamed = parts.count == 2 && !parts[0].contains("/")
        name = isNamed ? String(parts[0]) : nil
        if let file = name?.split(separator: "?").first, file.count + 1 < parts[0].count,
            FileFormat(path: Self.split(String(file)).path) != nil
        {
            throw Failure(
                .usage,
                "'\(text)': a source has no parameters; from '?' on they belong to the address of "
                    + "the list, and a file of this name is written './\(text)'"
            )
        }
        (path, table) = Self.split(isNamed ? String(parts[1]) : text)
        guard table != "" else {
            throw .unknownSource((PostgresAddress(path)?.masked ?? path) + "#")
        }
        if let name { try Self.check(name) }
        postgres = PostgresAddress(path)
        if let postgres, postgres.isAmbiguous {
            throw Failure(
                .usage,
                "'\(postgres.masked)': write '/' as %2F, '?' as %3F and '#' as %23 in a user name "
                    + "or password"
            )
        }
        guard path.contains("://"), postgres == nil else {
            address = nil
            guard !path.isEmpty else { throw .unknownSource(text) }
            return
        }
        do throws(RemoteError) { address = try RemoteAddress(path) } catch {
            throw Failure(
                .usage,
                "'\(Self.masked(path))' is not an address of a source; allowed: postgres://…, "
                    + "http://HOST[:PORT]/PATH and https://…, the last two without user name and "
                    + "spaces"
            )
        }
    }

    static func list(
        _ text: String,
        origin: String
    ) throws(Failure) -> [SourceArgument] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        return try parts.map { (part) throws(Failure) in
            let source = String(GivenSetting.trimmed(part))
            guard !source.isEmpty else {
                let allowed = "sources, as in people.csv, shop.db"
                throw .invalidValue(origin, value: text, allowed: allowed)
            }
            return try SourceArgument(source)
        }
    }

    /// Splits `FILE#TABLE` and `postgres://…#TABLE`.
    ///
    /// The text before the `#` must end like a database file, because names of files may contain
    /// one.
    private static func split(_ text: String) -> (path: String, table: String?) {
        var start = text.startIndex
        if PostgresAddress.isAddress(text) {
            start = text.lastIndex(of: "@") ?? start
        } else if FileFormat(path: text) == .database {
            return (text, nil)
        }
        for location in text.indices[start...] where text[location] == "#" {
            let path = String(text[..<location])
            guard PostgresAddress.isAddress(path) || FileFormat(path: path) == .database else {
                continue
            }
            return (path, String(text[text.index(after: location)...]))
        }
        return (text, nil)
    }

    private static func masked(_ address: String) -> String {
        let scheme = address.prefix { $0 != ":" } + "://"
        let rest = address.dropFirst(scheme.count)
        let location = rest.lastIndex(of: "@").map { "…" + rest[$0...] } ?? String(rest)
        let query = location.firstIndex(of: "?")
        return scheme + (query.map { location[..<$0] + "?…" } ?? location)
    }

    /// The name of the list: the given one, else that of the file, else the host of the URL.
    package var listName: String {
        if let name { return name }
        guard let address else { return FileFormat.name(ofFileAt: path) }
        let path = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
        let file = FileFormat.name(ofFileAt: path)
        return file.isEmpty ? address.host : file
    }

    /// Whether the source is a database, which is opened instead of imported.
    package var isDatabase: Bool {
        postgres != nil || address == nil && FileFormat(path: path) == .database
    }

    package var shown: String { (postgres?.masked ?? path) + (table.map { "#" + $0 } ?? "") }

    package var isFile: Bool { address == nil && !isDatabase }

    package static func check(_ name: String) throws(Failure) {
        guard ListName.isAllowed(name) else { throw .invalidListName(name) }
    }
}
