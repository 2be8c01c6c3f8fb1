/// A parser of a Link field (RFC 8288 §3).
struct LinkField {
    var rest: Substring

    /// Nil if the field has no next page.
    ///
    /// The result is a failure if the field violates its grammar.
    static func next(in value: String) -> Result<String?, Malformed> {
        var field = LinkField(rest: value[...])
        do throws(Malformed) {
            while let link = try field.nextLink() {
                if link.isNext { return .success(link.target) }
            }
            return .success(nil)
        } catch {
            return .failure(error)
        }
    }

    struct Malformed: Error {}

    private mutating func nextLink() throws(Malformed) -> (target: String, isNext: Bool)? {
        // A list may have empty elements (RFC 9110 §5.6.1).
        rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
        guard !rest.isEmpty else { return nil }
        guard rest.first == "<", let end = rest.firstIndex(of: ">") else { throw Malformed() }
        let target = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
        var relations: String?
        while let (name, value) = try nextParameter() {
            // Of several `rel` parameters the first one counts (RFC 8288 §3.3).
            if name == "rel", relations == nil { relations = value }
        }
        let words = (relations ?? "").lowercased().split(separator: " ")
        return (target, words.contains("next"))
    }

    /// Reads `; name=value`; nil at the end of the link.
    private mutating func nextParameter() throws(Malformed) -> (name: String, value: String)? {
        skipSpace()
        guard rest.first == ";" else {
            guard rest.isEmpty || rest.first == "," else { throw Malformed() }
            return nil
        }
        rest.removeFirst()
        skipSpace()
        let name = rest.prefix { !" \t=;,".contains($0) }
        rest = rest[name.endIndex...]
        skipSpace()
        guard rest.first == "=" else { return (name.lowercased(), "") }
        rest.removeFirst()
        skipSpace()
        guard rest.first == "\"" else {
            let value = rest.prefix { !" \t;,".contains($0) }
            rest = rest[value.endIndex...]
            return (name.lowercased(), String(value))
        }
        return (name.lowercased(), try quotedString())
    }

    private mutating func quotedString() throws(Malformed) -> String {
        var value = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                guard let escaped = rest.popFirst() else { throw Malformed() }
                value.append(escaped)
            default: value.append(character)
            }
        }
        throw Malformed()
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == " " || $0 == "\t" } }
}
