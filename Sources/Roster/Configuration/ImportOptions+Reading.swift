import Database
import ListAPI
import Listings
import SQLite
import TableFiles

/// Import options of the command line.
extension ImportOptions {
    /// Sets the texts for missing values, separated by commas; an empty text names none.
    mutating func setMissing(_ value: String, origin: String) throws(ConfigurationError) {
        let marks = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard value.isEmpty || !marks.contains("") else {
            let allowed =
                "texts such as NA,?,- with commas between; empty fields are missing anyway"
            throw .invalidValue(origin, value: value, allowed: allowed)
        }
        missing = value.isEmpty ? [] : marks
    }

    /// Sets `text` for all columns, or the types of named columns; an empty text names none.
    mutating func setTypes(_ value: String, origin: String) throws(ConfigurationError) {
        guard value != "text", !value.isEmpty else {
            types = value.isEmpty ? .found : .text
            return
        }
        var named: [String: ColumnType] = [:]
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            named.merge([try Self.type(String(part), origin: origin)]) { $1 }
        }
        types = .named(named)
    }

    private static func type(
        _ text: String,
        origin: String
    ) throws(ConfigurationError) -> (String, ColumnType) {
        let names = allowedTypes.map(\.rawValue).joined(separator: ", ")
        guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
            throw .invalidValue(
                origin,
                value: text,
                allowed: "text or COLUMN=TYPE; types: \(names)"
            )
        }
        let column = String(text[..<equals])
        let type = ColumnType(rawValue: String(text[text.index(after: equals)...]))
        guard let type, allowedTypes.contains(type) else {
            throw .invalidValue(origin, value: text, allowed: "COLUMN=TYPE with one of \(names)")
        }
        guard column != ListSchema.idName || type == .text else {
            throw .invalidValue(origin, value: text, allowed: "id=text; ids have no other type")
        }
        return (column, type)
    }

    /// Returns the reason not to import files: a type is given for an unknown column.
    ///
    /// - Parameter lists: The lists that the files become.
    /// - Returns: The reason; nil without one.
    func refusal(of lists: [ListMetadata]) -> Failure? {
        let columns = lists.flatMap { $0.columns.map(\.id) }
        guard let unknown = namedColumns.first(where: { !columns.contains($0) }) else { return nil }
        let hint =
            Suggestion.nearest(to: unknown, among: columns).map { "did you mean '\($0)'?" }
            ?? "columns: " + columns.joined(separator: ", ")
        return Failure(.usage, "--types: no list has a column '\(unknown)'; \(hint)")
    }
}
