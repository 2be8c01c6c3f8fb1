/// Tells what must not be written down.
enum Secrets {
    /// What stands in the place of a secret.
    static let mask = "***"

    /// Words in the names of fields and query items whose values are secrets.
    private static let words = [
        "auth", "cookie", "credential", "key", "password", "passwd", "pwd", "secret", "session",
        "signature", "token",
    ]
    /// Names that are secret as a whole.
    private static let names: Set<String> = ["code", "jwt", "pass", "sig"]

    /// Fields whose values everybody may read; any other may hold what its sender is trusted with.
    private static let openFields: Set<String> = [
        "accept", "accept-language", "content-type", "if-modified-since", "if-none-match",
        "user-agent",
    ]

    /// Whether the value of a field is a secret.
    static func isIn(_ field: RemoteField) -> Bool {
        !openFields.contains(field.name.lowercased())
    }

    /// A text of a server freed of the secrets that it was sent, as refusals may repeat them.
    static func masked(_ text: String, sent fields: [RemoteField]) -> String {
        var text = text
        for field in fields where isIn(field) {
            // The scheme before a token is none, and of itself no secret.
            for secret in [field.value, field.value.split(separator: " ").last.map(String.init)] {
                guard let secret, secret.utf8.count >= 4 else { continue }
                text = text.replacing(secret, with: mask)
            }
        }
        return text
    }

    /// Whether the value under a name is a secret.
    static func areUnder(_ name: String) -> Bool {
        let name = name.lowercased()
        return names.contains(name) || words.contains { name.contains($0) }
    }
}

extension RemoteAddress {
    /// The address as it may be written down: the values of secrets in its query are masked.
    package var masked: String {
        text(
            query: query.map { query in
                query.split(separator: "&", omittingEmptySubsequences: false).map { item in
                    let name = item.prefix { $0 != "=" }
                    let isSecret = name.count < item.count && Secrets.areUnder(String(name))
                    return isSecret ? "\(name)=\(Secrets.mask)" : String(item)
                }.joined(separator: "&")
            }
        )
    }
}

extension RemoteRequest {
    /// The request as a command for curl, secrets masked.
    package var curl: String {
        var words = ["curl"]
        if method != .get { words += ["-X", Self.quoted(method.name)] }
        for field in fields {
            let value = Secrets.isIn(field) ? Secrets.mask : field.value
            words += ["-H", Self.quoted("\(field.name): \(value)")]
        }
        // Bodies may hold secrets anywhere, so only their length is told.
        if !body.isEmpty { words += ["--data-binary", Self.quoted("(\(body.count) bytes)")] }
        words.append(Self.quoted(address.masked))
        return words.joined(separator: " ")
    }

    /// A word as a shell takes it.
    private static func quoted(_ word: String) -> String {
        "'"
            + word.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: "'\\''"
            )
            + "'"
    }
}
