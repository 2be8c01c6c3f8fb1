enum SettingsReport {
    static func text(
        _ given: [GivenSetting],
        _ sources: [SourceArgument],
        named: [SourceArgument]
    ) -> String {
        let rows =
            Setting.all.map { setting in
                var row = row(setting, given)
                // The values in the settings may have passwords.
                if setting == .sources, !named.isEmpty {
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

    private static func row(_ setting: Setting, _ given: [GivenSetting]) -> [String] {
        guard let given = given.last(where: { $0.setting == setting }) else {
            return [setting.name, setting.standard, "default"]
        }
        return [setting.name, setting.isSecret ? "(not shown)" : given.value, given.origin]
    }
}
