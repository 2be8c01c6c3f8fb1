/// Where a PostgreSQL database is: `postgres://[USER[:PASSWORD]@][HOST[:PORT]]/DATABASE[?…]`, as
/// libpq reads it.
package struct PostgresAddress: Hashable, Sendable {
    /// The address as it was given, with the password if it has one: never to be shown.
    let text: String
    /// A file whose first line is the password; nil leaves it to the address and to libpq.
    package let passwordFile: String?

    /// Reads an address.
    ///
    /// - Returns: Nil when it begins with neither `postgres://` nor `postgresql://`, or holds NUL.
    package init?(_ text: String, passwordFile: String? = nil) {
        guard Self.isAddress(text), !text.utf8.contains(0) else { return nil }
        self.text = text
        self.passwordFile = passwordFile
    }

    /// Whether a text is an address of PostgreSQL, as its beginning says.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Whether a `/` or `?` of its user name or password ends its authority too early.
    package var isAmbiguous: Bool {
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        let afterAuthority = rest.drop { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = afterAuthority.prefix { $0 != "?" }
        // A parameter may hold an `@`: `?user=a@b`.
        let query = afterAuthority.dropFirst(path.count)
        let isInQuery = query.firstIndex(of: "@").map { !query[..<$0].contains("=") } ?? false
        return path.contains("@") || isInQuery
    }

    /// The parts of the address that no message shows: all in front of the host but the user name.
    var secrets: [String] {
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        guard let at = rest.lastIndex(of: "@") else { return [text] }
        let parts = rest[..<at].split { ":/?#&=@".contains($0) }
        return [text] + parts.dropFirst().map(String.init).filter { $0.count > 2 }
    }

    /// The address without what may be secret: the password and all parameters.
    package var masked: String {
        let scheme = text.hasPrefix("postgres:") ? "postgres://" : "postgresql://"
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" }
        // A password with a `/` or `?` of its own reaches further than an authority does.
        guard !rest.dropFirst(authority.count).contains("@") else { return scheme + "…" }
        guard let at = authority.lastIndex(of: "@") else { return scheme + authority + path }
        return scheme + authority[..<at].prefix { $0 != ":" } + authority[at...] + path
    }
}

extension PostgresAddress: CustomStringConvertible {
    /// ``masked``, so that no log shows a password.
    package var description: String { masked }
}
