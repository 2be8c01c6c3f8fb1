/// Writes names of tables and columns into SQL text.
///
/// The only way a name gets there. Names come from schemas, never from clients; they may hold
/// anything all the same.
package enum SQLName {
    /// The name between double quotes, which are doubled inside; nil for a name with NUL, which no
    /// engine takes.
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
