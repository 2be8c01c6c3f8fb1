package import ListAPI
package import RemoteLists

/// A header field for http(s) sources.
///
/// It is written `Authorization: Bearer …` for all lists, or `people=X-Key: …` for one. Its value
/// is a secret and is never printed.
package struct SourceField: Hashable, Sendable {
    package let list: String?
    package let field: RemoteField
    let origin: String

    /// Reads lines; ignores empty ones and those that begin with `#`.
    package static func read(
        _ text: String,
        origin: String
    ) throws(Failure) -> [SourceField] {
        var fields: [SourceField] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let line = GivenSetting.trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let location = "\(origin):\(index + 1)"
            guard let field = SourceField(line, location) else {
                // The text may be a secret.
                throw Failure(
                    .configuration,
                    "\(location): no field that can be sent; allowed: NAME: VALUE, as in "
                        + "Authorization: Bearer …, and LIST=NAME: VALUE"
                )
            }
            fields.append(field)
        }
        return fields
    }

    private init?(_ line: Substring, _ origin: String) {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        // A field name contains no equals sign, so the text before one is a list.
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
