import ListAPI

/// A setting with a given value.
struct GivenSetting {
    let setting: Setting
    /// The value as written.
    var value: String
    /// A flag, a variable, or a line of a file.
    let origin: String
    /// The name in error messages.
    var name: String {
        origin.hasPrefix("-") || origin == setting.variable ? origin : "\(origin): \(setting.name)"
    }

    /// Reads the settings of the environment; ignores empty variables.
    ///
    /// - Throws: ``ConfigurationError/unknownVariable(_:suggestion:)`` for the first variable that
    ///   begins with `ROSTER_` and is no setting.
    static func read(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> [GivenSetting] {
        let given = environment.filter { !ServiceLinks.contain($0.key, value: $0.value) }
        let known = Setting.all.map(\.variable)
        let strays = given.keys.filter { $0.hasPrefix("ROSTER_") && !known.contains($0) }
        if let stray = strays.min() {
            throw .unknownVariable(stray, suggestion: Suggestion.nearest(to: stray, among: known))
        }
        return Setting.all.compactMap { setting in
            guard let value = given[setting.variable], !value.isEmpty else { return nil }
            return GivenSetting(setting: setting, value: value, origin: setting.variable)
        }
    }

    /// Reads the settings of a file, `NAME = VALUE` on each line.
    ///
    /// A name is a flag without its dashes. Lines that begin with `#` are comments. A value extends
    /// to the end of its line, and quotation marks belong to it.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - path: The path of the file, for error messages.
    /// - Returns: The settings, in the order of the lines.
    /// - Throws: ``ConfigurationError`` for the first invalid line.
    static func read(
        _ text: String,
        of path: String
    ) throws(ConfigurationError) -> [GivenSetting] {
        var settings: [GivenSetting] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let place = "\(path):\(index + 1)"
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let sign = line.firstIndex(of: "=") else { throw .invalidLine(place) }
            let name = trimmed(line[..<sign])
            // A settings file cannot name another one.
            let known = Setting.all.filter { $0 != .config }
            guard let setting = known.first(where: { $0.name == name }) else {
                let near = Suggestion.nearest(to: String(name), among: known.map(\.name))
                throw .unknownSetting(String(name), at: place, suggestion: near)
            }
            if let first = settings.first(where: { $0.setting == setting }) {
                throw .repeatedSetting(setting.name, at: place, first: first.origin)
            }
            let value = String(trimmed(line[line.index(after: sign)...]))
            let given = GivenSetting(setting: setting, value: value, origin: place)
            guard !value.isEmpty else { throw .missingValue(given.name) }
            settings.append(given)
        }
        return settings
    }

    /// Returns a text without surrounding spaces and tabs.
    static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }.map { start.index(after: $0) }
        return start[..<(end ?? start.startIndex)]
    }
}
