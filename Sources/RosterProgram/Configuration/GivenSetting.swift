import ListAPI

struct GivenSetting {
    let setting: Setting
    var value: String
    let origin: String
    var name: String {
        origin.hasPrefix("-") || origin == setting.variable ? origin : "\(origin): \(setting.name)"
    }

    static func read(
        _ environment: [String: String]
    ) throws(Failure) -> [GivenSetting] {
        let given = environment.filter { !ServiceLinks.contain($0.key, value: $0.value) }
        let known = Setting.all.map(\.variable)
        let strays = given.keys.filter { $0.hasPrefix("ROSTER_") && !known.contains($0) }
        if let stray = strays.min() {
            let hint = Suggestion.hint(for: stray, among: known)
            throw Failure(.configuration, "no setting \(stray)\(hint); see roster --help")
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
    static func read(
        _ text: String,
        of path: String
    ) throws(Failure) -> [GivenSetting] {
        var settings: [GivenSetting] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let location = "\(path):\(index + 1)"
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let sign = line.firstIndex(of: "=") else {
                throw Failure(
                    .configuration,
                    "\(location): no setting; allowed: NAME = VALUE, as in port = 80"
                )
            }
            let name = trimmed(line[..<sign])
            // A settings file cannot name another one.
            let known = Setting.all.filter { $0 != .config }
            guard let setting = known.first(where: { $0.name == name }) else {
                let hint = Suggestion.hint(for: String(name), among: known.map(\.name))
                throw Failure(
                    .configuration,
                    "\(location): no setting '\(name)'\(hint); see roster --help"
                )
            }
            if let first = settings.first(where: { $0.setting == setting }) {
                throw Failure(
                    .configuration,
                    "\(location): '\(setting.name)' stands at \(first.origin) already"
                )
            }
            let value = String(trimmed(line[line.index(after: sign)...]))
            let given = GivenSetting(setting: setting, value: value, origin: location)
            guard !value.isEmpty else { throw .missingValue(given.name) }
            settings.append(given)
        }
        return settings
    }

    static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }.map { start.index(after: $0) }
        return start[..<(end ?? start.startIndex)]
    }
}
