import ListAPI

/// A setting with a given value.
struct ParsedOption {
    /// The setting.
    let option: Option
    /// The value as written.
    let value: String
    /// The origin: a flag, a variable, or a line of a file.
    let origin: String
    /// The name in error messages.
    var name: String {
        origin.hasPrefix("-") || origin == option.variable ? origin : "\(origin): \(option.name)"
    }

    /// Reads the settings of the environment; ignores empty variables.
    ///
    /// - Parameter environment: The environment variables of the process.
    /// - Returns: The settings, in the order of the option table.
    /// - Throws: ``ConfigurationError/unknownVariable(_:suggestion:)`` for the first variable that
    ///   begins with `ROSTER_` and is no setting.
    static func read(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> [ParsedOption] {
        let known = Option.all.map(\.variable)
        let strays = environment.filter { name, value in
            name.hasPrefix("ROSTER_") && !known.contains(name)
                && !ServiceLinks.contain(name, value: value)
        }
        if let stray = strays.keys.min() {
            throw .unknownVariable(stray, suggestion: Suggestion.nearest(to: stray, among: known))
        }
        return Option.all.compactMap { option in
            guard let value = environment[option.variable], !value.isEmpty,
                !ServiceLinks.contain(option.variable, value: value)
            else { return nil }
            return ParsedOption(option: option, value: value, origin: option.variable)
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
    ) throws(ConfigurationError) -> [ParsedOption] {
        var settings: [ParsedOption] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let place = "\(path):\(index + 1)"
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let sign = line.firstIndex(of: "=") else { throw .invalidLine(place) }
            let name = trimmed(line[..<sign])
            // A settings file cannot name another one.
            let options = Option.all.filter { $0.key != .config }
            guard let option = options.first(where: { $0.name == name }) else {
                let near = Suggestion.nearest(to: String(name), among: options.map(\.name))
                throw .unknownSetting(String(name), at: place, suggestion: near)
            }
            if let first = settings.first(where: { $0.option.key == option.key }) {
                throw .repeatedSetting(option.name, at: place, first: first.origin)
            }
            let value = String(trimmed(line[line.index(after: sign)...]))
            let setting = ParsedOption(option: option, value: value, origin: place)
            guard !value.isEmpty else { throw .missingValue(setting.name) }
            settings.append(setting)
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
