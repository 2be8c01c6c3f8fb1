final class OpenDocumentTables: XMLHandler {
    private(set) var sheets: [Workbook.Sheet] = []
    private(set) var isSpreadsheet = false
    private(set) var valued: Set<String> = []
    private var hidden: Set<String> = []
    private var style = ""
    private let part: String

    init(_ part: String) { self.part = part }

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        switch name {
        case "style": style = attributes["name"] ?? ""
        case "table-properties": if attributes["display"] == "false" { hidden.insert(style) }
        case "spreadsheet": isSpreadsheet = true
        case "table":
            let isHidden = attributes["style-name"].map(hidden.contains) ?? false
            sheets.append(
                Workbook.Sheet(
                    name: attributes["name"] ?? "Table\(sheets.count + 1)",
                    state: isHidden ? .hidden : .visible,
                    part: part,
                    table: sheets.count
                )
            )
        case "table-cell", "covered-table-cell":
            if attributes["value-type"] != nil, let sheet = sheets.last {
                valued.insert(sheet.name)
            }
        default: break
        }
    }
}
