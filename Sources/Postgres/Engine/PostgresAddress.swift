/// The address of a PostgreSQL database as libpq reads it:
/// `postgres://[USER[:PASSWORD]@][HOST[:PORT]]/DATABASE[?…]`.
package struct PostgresAddress: Hashable, Sendable {
    /// It may include a password, so that it must never be shown.
    let text: String
    /// The first line of the file is the password.
    package let passwordFile: String?

    /// Nil if the text begins with neither `postgres://` nor `postgresql://`, or contains NUL.
    package init?(_ text: String, passwordFile: String? = nil) {
        guard Self.isAddress(text), !text.utf8.contains(0) else { return nil }
        self.text = text
        self.passwordFile = passwordFile
    }

    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Whether a `/` or `?` in the user name or password ends the authority too early.
    package var isAmbiguous: Bool {
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        let afterAuthority = rest.drop { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = afterAuthority.prefix { $0 != "?" }
        // A parameter may hold an `@`: `?user=a@b`.
        let query = afterAuthority.dropFirst(path.count)
        let isInQuery = query.firstIndex(of: "@").map { !query[..<$0].contains("=") } ?? false
        return path.contains("@") || isInQuery
    }

    /// The secret parts of the address: all parts before the host except the user name.
    var secrets: [String] {
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        guard let at = rest.lastIndex(of: "@") else { return [text] }
        let parts = rest[..<at].split { ":/?#&=@".contains($0) }
        return [text] + parts.dropFirst().map(String.init).filter { $0.count > 2 }
    }

    package var masked: String {
        let scheme = text.hasPrefix("postgres:") ? "postgres://" : "postgresql://"
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" }
        // A password with an unescaped `/` or `?` extends beyond the authority.
        guard !rest.dropFirst(authority.count).contains("@") else { return scheme + "…" }
        guard let at = authority.lastIndex(of: "@") else { return scheme + authority + path }
        return scheme + authority[..<at].prefix { $0 != ":" } + authority[at...] + path
    }
}

extension PostgresAddress: CustomStringConvertible {
    /// No log shows a password.
    package var description: String { masked }
}
