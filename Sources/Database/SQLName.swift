/// All such names in SQL text are written here.
///
/// They come from schemas, never from clients, but may contain any character.
package enum SQLName {
    /// Nil if the name contains NUL, which no engine accepts.
    package static func quoted(_ name: String) -> String? {
        guard !name.utf8.contains(0) else { return nil }
        var quoted = "\""
        for scalar in name.unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append("\"") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
