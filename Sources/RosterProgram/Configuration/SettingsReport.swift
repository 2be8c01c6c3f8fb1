/// The output of `roster --print-config`: each setting, its value and its origin.
enum SettingsReport {
    /// Returns the report without secrets.
    ///
    /// - Parameters:
    ///   - layers: The given settings, the strongest layer last.
    ///   - sources: The sources of the command line.
    ///   - named: The sources of the setting.
    /// - Returns: A line for each setting, in three columns.
    static func text(
        _ layers: [[ParsedOption]],
        _ sources: [SourceArgument],
        named: [SourceArgument]
    ) -> String {
        let rows =
            Option.all.map { option in
                var row = row(option, layers)
                // The values in the settings may have passwords.
                if option.key == .sources, !named.isEmpty {
                    row[1] = named.map(text(of:)).joined(separator: ", ")
                }
                return row
            }
            + sources.map { ["source", text(of: $0), "command line"] }
        let widths = [0, 1].map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count + 2)
            }
            return cells.joined() + row[2] + "\n"
        }
        .joined()
    }

    private static func text(of source: SourceArgument) -> String {
        (source.name.map { "\($0)=" } ?? "") + source.shown
    }

    private static func row(_ option: Option, _ layers: [[ParsedOption]]) -> [String] {
        let layer = layers.last { $0.contains { $0.option.key == option.key } } ?? []
        let given = layer.filter { $0.option.key == option.key }
        guard let origin = given.first?.origin else {
            return [option.name, option.standard, "default"]
        }
        let value = given.map(\.value).joined(separator: ",")
        return [option.name, option.isSecret ? "(not shown)" : value, origin]
    }
}
