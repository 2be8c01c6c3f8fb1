import Database
import ListAPI
import Listings
import SQLite
import TableFiles

/// The settings for importing files: values for all lists, and for one list as `LIST=VALUE`.
package struct ImportSettings: Hashable, Sendable {
    private struct Value: Hashable {
        let key: Option.Key
        /// The list of the value; nil for all lists.
        let list: String?
        let text: String
    }

    private var values: [Option.Key: [Value]] = [:]

    /// Creates settings that detect everything.
    package init() {}

    /// Whether no setting is given.
    package var isEmpty: Bool { values.isEmpty }

    /// Sets a setting and replaces its former values.
    ///
    /// - Parameters:
    ///   - key: The setting.
    ///   - text: A value, or several with commas between. A part with `=` begins the values of the
    ///     list before the `=`.
    ///   - origin: The name of the setting in errors.
    /// - Throws: ``ConfigurationError`` for an invalid value.
    mutating func set(
        _ key: Option.Key,
        to text: String,
        origin: String
    ) throws(ConfigurationError) {
        values[key] = nil
        guard !text.isEmpty else { return }
        var new = [Value(key: key, list: nil, text: text)]
        if key != .types, text != "," {
            new = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let equals = part.firstIndex(of: "=").filter { $0 != part.startIndex }
                let list = equals.map { String(part[..<$0]) }
                let value = String(equals.map { part[part.index(after: $0)...] } ?? part)
                // Some settings have several values for one list.
                if list == nil, let last = new.last, key == .missing {
                    new[new.count - 1] = Value(
                        key: key,
                        list: last.list,
                        text: "\(last.text),\(value)"
                    )
                } else {
                    new.append(Value(key: key, list: list, text: value))
                }
            }
        }
        var options = ImportOptions()
        for value in new { try Self.apply(value, to: &options, of: value.list ?? "", origin) }
        values[key] = new
    }

    /// Returns the options for a list: those for all lists, overridden by those for this one.
    func options(for list: String) -> ImportOptions {
        var options = ImportOptions()
        let all = values.values.joined()
        for value in all.filter({ $0.list == nil }) + all.filter({ $0.list == list }) {
            do {
                try Self.apply(value, to: &options, of: list, "")
            } catch {
                preconditionFailure("\(value.text) was checked when it was set: \(error)")
            }
        }
        return options
    }

    /// Returns the reason not to serve lists: a setting names an unknown list or column.
    ///
    /// - Parameters:
    ///   - lists: All lists.
    ///   - names: The names of further lists.
    /// - Returns: The reason; nil without one.
    func refusal(of lists: [ListMetadata], besides names: [String] = []) -> Failure? {
        let known = lists.map(\.name) + names
        for value in Option.imports.flatMap({ values[$0.key] ?? [] }) {
            guard let list = value.list, !known.contains(list) else { continue }
            let hint = Suggestion.hint(for: list, among: known)
            return Failure(.usage, "\(Self.name(of: value)): no list '\(list)'\(hint)")
        }
        guard !lists.isEmpty, let types = values[.types]?.first else {
            return nil
        }
        let columns = lists.flatMap { list in
            list.columns.flatMap { [$0.id, "\(list.name)=\($0.id)"] }
        }
        let named = options(for: "").namedColumns
        guard let unknown = named.first(where: { !columns.contains($0) && !known.contains($0) })
        else { return nil }
        let ids = lists.flatMap { $0.columns.map(\.id) }
        let hint =
            Suggestion.nearest(to: unknown, among: ids).map { "did you mean '\($0)'?" }
            ?? "columns: " + ids.joined(separator: ", ")
        return Failure(
            .usage,
            "\(Self.name(of: types)): no list has a column '\(unknown)'; \(hint)"
        )
    }

    private static func name(of value: Value) -> String {
        Option.all.first { $0.key == value.key }?.flag ?? value.key.rawValue
    }

    private static func apply(
        _ value: Value,
        to options: inout ImportOptions,
        of list: String,
        _ origin: String
    ) throws(ConfigurationError) {
        let text = value.text
        func choice<Choice>(
            _ choices: KeyValuePairs<String, Choice>
        ) throws(ConfigurationError)
            -> Choice
        {
            if let found = choices.first(where: { $0.key == text }) { return found.value }
            throw ConfigurationError.invalidValue(
                origin,
                value: text,
                allowed: choices.map(\.key).joined(separator: ", ")
            )
        }
        switch value.key {
        case .missing:
            let marks = text.split(separator: ",", omittingEmptySubsequences: false)
            guard !marks.contains("") else {
                let allowed =
                    "texts such as NA,?,- with commas between; empty fields are missing anyway"
                throw .invalidValue(origin, value: text, allowed: allowed)
            }
            options.missing = marks.map(String.init)
        case .types: try setTypes(value, of: list, in: &options, origin)
        case .delimiter:
            let named: KeyValuePairs = [
                "comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "space": " ",
            ]
            let character = named.first { $0.key == text }?.value ?? text
            let isUsable = !"\"\r\n\\".contains(character) && !character.contains(where: \.isLetter)
            guard character.utf8.count == 1, isUsable, let byte = character.utf8.first else {
                let allowed = named.map(\.key).joined(separator: ", ") + " or one other sign"
                throw .invalidValue(origin, value: text, allowed: allowed)
            }
            options.delimiter = byte
        case .quote:
            options.quote = try choice([
                "double": UInt8(ascii: "\""), "single": UInt8(ascii: "'"), "none": 0,
            ])
        case .encoding:
            let encoding = TextEncoding(named: text)
            guard TextDecoders.areAvailable(for: encoding) else {
                let allowed = "an encoding that `iconv --list` names, such as latin1 or cp1250"
                throw .invalidValue(origin, value: text, allowed: allowed)
            }
            options.encoding = encoding
        case .header: options.hasHeader = try choice(["yes": true, "no": false])
        case .skipLines:
            options.skippedLines = try Configuration.number(text, origin, 0...1_000_000)
        case .footerLines: options.footerLines = try Configuration.number(text, origin, 0...1000)
        case .decimal: options.hasDecimalComma = try choice(["comma": true, "point": false])
        case .rowsAt: options.rowsAt = text
        case .extraValues:
            options.extraValues = try choice(["error": .error, "column": .column, "drop": .drop])
        default: preconditionFailure("\(value.key) is no setting of imports")
        }
    }

    /// Sets `text` for all columns, or the types of named columns.
    private static func setTypes(
        _ value: Value,
        of list: String,
        in options: inout ImportOptions,
        _ origin: String
    ) throws(ConfigurationError) {
        guard value.text != "text" else {
            options.types = .text
            return
        }
        var named: [String: ColumnType] = [:]
        for part in value.text.split(separator: ",", omittingEmptySubsequences: false) {
            let (column, type) = try type(String(part), origin: origin)
            if column == list, type == .text {
                options.types = .text
                return
            }
            // A name with the list before it is stronger than one without.
            let isOwn = column.hasPrefix(list + "=")
            let name = isOwn ? String(column.dropFirst(list.count + 1)) : column
            if isOwn || named[name] == nil { named[name] = type }
        }
        options.types = .named(named)
    }

    private static func type(
        _ text: String,
        origin: String
    ) throws(ConfigurationError) -> (String, ColumnType) {
        let names = ImportOptions.allowedTypes.map(\.rawValue).joined(separator: ", ")
        guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
            throw .invalidValue(
                origin,
                value: text,
                allowed: "text or COLUMN=TYPE; types: \(names)"
            )
        }
        let column = String(text[..<equals])
        let type = ColumnType(rawValue: String(text[text.index(after: equals)...]))
        guard let type, ImportOptions.allowedTypes.contains(type) else {
            throw .invalidValue(origin, value: text, allowed: "COLUMN=TYPE with one of \(names)")
        }
        let isID = column == ListSchema.idName || column.hasSuffix("=" + ListSchema.idName)
        guard !isID || type == .text else {
            throw .invalidValue(origin, value: text, allowed: "id=text; ids have no other type")
        }
        return (column, type)
    }
}

extension Optional {
    /// Returns the value if it fulfills a condition.
    fileprivate func filter(_ isIncluded: (Wrapped) -> Bool) -> Wrapped? {
        flatMap { isIncluded($0) ? $0 : nil }
    }
}
