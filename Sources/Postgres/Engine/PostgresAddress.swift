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
