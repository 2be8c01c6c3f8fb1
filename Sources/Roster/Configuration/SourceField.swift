package import Remote

/// A field that is sent to http(s) sources, as a line says it: `Authorization: Bearer …` for all,
/// `people=X-Key: …` for one list.
///
/// Its value is a secret: nothing this program says holds it.
package struct SourceField: Hashable, Sendable {
    /// The list it is for; nil for all.
    package let list: String?
    /// What is sent.
    package let field: RemoteField
    /// Where it is written, for people.
    let origin: String

    /// Reads lines; empty ones and those that begin with `#` say nothing.
    ///
    /// - Parameters:
    ///   - text: The lines.
    ///   - origin: Where they are written.
    /// - Returns: The fields, in their order.
    /// - Throws: ``ConfigurationError/invalidField(_:)``, with the number of the line.
    package static func read(
        _ text: String,
        origin: String
    ) throws(ConfigurationError) -> [SourceField] {
        var fields: [SourceField] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let line = GivenSetting.trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let place = "\(origin):\(index + 1)"
            guard let field = SourceField(line, place) else { throw .invalidField(place) }
            fields.append(field)
        }
        return fields
    }

    private init?(_ line: Substring, _ origin: String) {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        // No name of a field holds an equals sign, so what stands before one is a list.
        let names = line[..<colon].split(
            separator: "=",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let value = GivenSetting.trimmed(line[line.index(after: colon)...])
        guard !value.isEmpty, names.count == 1 || !names[0].isEmpty,
            let field = try? RemoteField(String(names[names.count - 1]), String(value))
        else { return nil }
        list = names.count == 2 ? String(names[0]) : nil
        self.field = field
        self.origin = origin
    }
}
