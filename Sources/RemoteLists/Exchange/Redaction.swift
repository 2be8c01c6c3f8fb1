/// The rules for secrets, which must not be written to logs.
enum Redaction {
    static let mask = "***"

    /// Words that mark the name of a field or query item as that of a secret.
    private static let words = [
        "auth", "cookie", "credential", "key", "password", "passwd", "pwd", "secret", "session",
        "signature", "token",
    ]
    /// Whole names that mark a secret.
    private static let names: Set<String> = ["code", "jwt", "pass", "sig"]

    /// Fields whose values are public.
    ///
    /// Any other field may hold a credential.
    private static let openFields: Set<String> = [
        "accept", "accept-language", "content-type", "if-modified-since", "if-none-match",
        "user-agent",
    ]

    static func isIn(_ field: RemoteField) -> Bool {
        !openFields.contains(field.name.lowercased())
    }

    /// Masks the sent secrets in a text of a server, because error responses may repeat them.
    static func masked(_ text: String, sent fields: [RemoteField]) -> String {
        var text = text
        for field in fields where isIn(field) {
            // The scheme before a token is not a secret.
            for secret in [field.value, field.value.split(separator: " ").last.map(String.init)] {
                guard let secret, secret.utf8.count >= 4 else { continue }
                text = text.replacing(secret, with: mask)
            }
        }
        return text
    }

    static func areUnder(_ name: String) -> Bool {
        let name = name.lowercased()
        return names.contains(name) || words.contains { name.contains($0) }
    }
}

extension RemoteAddress {
    /// Secret values in the query are masked.
    package var masked: String {
        text(
            query: query.map { query in
                query.split(separator: "&", omittingEmptySubsequences: false).map { item in
                    let name = item.prefix { $0 != "=" }
                    let isSecret = name.count < item.count && Redaction.areUnder(String(name))
                    return isSecret ? "\(name)=\(Redaction.mask)" : String(item)
                }.joined(separator: "&")
            }
        )
    }
}

extension RemoteRequest {
    /// A curl command with masked secrets.
    package var curl: String {
        var words = ["curl"]
        if method != .get { words += ["-X", Self.quoted(method.name)] }
        for field in fields {
            let value = Redaction.isIn(field) ? Redaction.mask : field.value
            words += ["-H", Self.quoted("\(field.name): \(value)")]
        }
        // A body may hold secrets anywhere, so only its length is logged.
        if !body.isEmpty { words += ["--data-binary", Self.quoted("(\(body.count) bytes)")] }
        words.append(Self.quoted(address.masked))
        return words.joined(separator: " ")
    }

    /// For a shell.
    private static func quoted(_ word: String) -> String {
        "'"
            + word.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: "'\\''"
            )
            + "'"
    }
}
