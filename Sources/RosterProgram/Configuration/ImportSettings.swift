import Database
import ListAPI
import Listings
import SQLite
import TableFiles

package struct ImportSettings: Hashable, Sendable {
    private struct Value: Hashable {
        let list: String?
        var text: String
    }

    private var values: [Setting: [Value]] = [:]

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    /// Sets a setting and replaces its former values.
    ///
    /// The text is a value, or several with commas between. A part with `=` begins the values of
    /// the list before the `=`.
    mutating func set(
        _ setting: Setting,
        to text: String,
        origin: String
    ) throws(Failure) {
        values[setting] = nil
        guard !text.isEmpty, let reading = setting.importing else { return }
        let new = Self.values(of: text, reading.division)
        var options = ImportOptions()
        var lists: Set<String?> = []
        for value in new {
            try reading.read(&options, value.text, value.list ?? "", origin)
            let isNew = lists.insert(value.list).inserted
            guard isNew || reading.division != .one else {
                throw .secondValue(origin, of: value.list.map { "list '\($0)'" } ?? "all lists")
            }
        }
        values[setting] = new
    }

    private static func values(of text: String, _ division: ImportReading.Division) -> [Value] {
        guard division != .whole, text != "," else { return [Value(list: nil, text: text)] }
        var values: [Value] = []
        var last: Int?
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var value = Value(list: nil, text: String(part))
            if let equals = part.firstIndex(of: "="), equals != part.startIndex {
                let text = String(part[part.index(after: equals)...])
                value = Value(list: String(part[..<equals]), text: text)
                last = values.firstIndex { $0.list == value.list }
            }
            if division == .several, let last {
                values[last].text += ",\(value.text)"
            } else {
                last = values.count
                values.append(value)
            }
        }
        return values
    }

    func options(for list: String) -> ImportOptions {
        var options = ImportOptions()
        for (setting, values) in values {
            for value in values.filter({ $0.list == nil }) + values.filter({ $0.list == list }) {
                do throws(Failure) {
                    try setting.importing?.read(&options, value.text, list, "")
                } catch {
                    preconditionFailure("\(value.text) was checked when it was set: \(error)")
                }
            }
        }
        return options
    }

    /// Returns the reason not to serve lists: a setting names an unknown list or column.
    func refusal(of lists: [ListMetadata], besides names: [String] = []) -> Failure? {
        let known = lists.map(\.name) + names
        for setting in Setting.reading {
            let named = (values[setting] ?? []).compactMap(\.list)
            guard let list = named.first(where: { !known.contains($0) }) else { continue }
            let hint = Suggestion.hint(for: list, among: known)
            return Failure(.usage, "--\(setting.name): no list '\(list)'\(hint)")
        }
        guard !lists.isEmpty else { return nil }
        if let refusal = ambiguity(of: lists) { return refusal }
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
        return Failure(.usage, "--types: no list has a column '\(unknown)'; \(hint)")
    }

    /// Refuses `NAME=text` for a list that has a column of its own name.
    private func ambiguity(of lists: [ListMetadata]) -> Failure? {
        let parts = (values[.types] ?? []).flatMap { $0.text.split(separator: ",") }
        let name = lists.lazy.map(\.name).first { name in
            parts.contains("\(name)=text")
                && lists.contains { list in
                    list.name == name && list.columns.contains { $0.id == name }
                }
        }
        return name.map { name in
            Failure(
                .usage,
                "--types: '\(name)=text' is a list and a column; write \(name)=\(name)=text for the "
                    + "column"
            )
        }
    }
}

struct ImportReading: Sendable {
    enum Division {
        case one
        case several
        case whole
    }

    var division = Division.one
    let read:
        @Sendable (inout ImportOptions, _ text: String, _ list: String, _ origin: String)
            throws(Failure) -> Void

    static let missing = ImportReading(division: .several) {
        (options, text, _, origin) throws(Failure) in
        let marks = text.split(separator: ",", omittingEmptySubsequences: false)
        guard !marks.contains("") else {
            let allowed =
                "texts such as NA,?,- with commas between; empty fields are missing anyway"
            throw .invalidValue(origin, value: text, allowed: allowed)
        }
        options.missing = marks.map(String.init)
    }

    static let types = ImportReading(division: .whole) {
        (options, text, list, origin) throws(Failure) in
        guard text != "text" else {
            options.types = .text
            return
        }
        var named: [String: ColumnType] = [:]
        var given: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let (column, type) = try type(String(part), origin: origin)
            if column == list, type == .text {
                options.types = .text
                return
            }
            // A name with the list before it is stronger than one without.
            let isOwn = column.hasPrefix(list + "=")
            let name = isOwn ? String(column.dropFirst(list.count + 1)) : column
            guard given.insert(column).inserted else {
                throw .secondValue(origin, of: "column '\(column)'")
            }
            if isOwn || named[name] == nil { named[name] = type }
        }
        options.types = .named(named)
    }

    private static func type(
        _ text: String,
        origin: String
    ) throws(Failure) -> (String, ColumnType) {
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

extension SettingKind<UInt8> {
    static var delimiter: Self {
        let named: KeyValuePairs = [
            "comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "space": " ",
        ]
        let names = named.map(\.key).joined(separator: ", ")
        return Self("NAME", allowed: "\(names) or one other sign") { text in
            let sign = named.first { $0.key == text }?.value ?? text
            let isUsable = !"\"\r\n\\".contains(sign) && !sign.contains(where: \.isLetter)
            return sign.utf8.count == 1 && isUsable ? sign.utf8.first : nil
        }
    }

    static var comment: Self {
        Self("SIGN", allowed: "none or one sign, such as # or %") { text in
            guard text != "none" else { return 0 }
            let isUsable = !"\"\r\n ".contains(text) && !text.contains(where: \.isLetter)
            return text.utf8.count == 1 && isUsable ? text.utf8.first : nil
        }
    }

    static var quote: Self {
        choice(["double": UInt8(ascii: "\""), "single": UInt8(ascii: "'"), "none": 0])
    }
}

extension SettingKind<TextEncoding> {
    static var encoding: Self {
        let allowed = "an encoding that `iconv --list` names, such as latin1 or cp1250"
        return Self("NAME", allowed: allowed) { text in
            let encoding = TextEncoding(named: text)
            return encoding.isAvailable ? encoding : nil
        }
    }
}
