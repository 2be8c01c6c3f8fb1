/// The names of properties, as key paths describe them.
enum KeyPathName {
    /// Nil for a computed property.
    static func of(_ path: AnyKeyPath) -> String? {
        let text = "\(path)"
        guard !text.contains("<") else { return nil }
        let names = text.split(whereSeparator: { $0 == "." || $0 == "?" || $0 == "!" })
        guard names.count > 1, let last = names.last, last != "self" else { return nil }
        return String(last)
    }
}
