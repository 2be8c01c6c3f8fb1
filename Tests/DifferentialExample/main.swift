// A list in memory, made of standard input: rows that a program holds itself, for the differential
// tests.
//
// Records end with U+001E, and fields with U+001F. The first record says whether ids are numbers and
// names the columns, each `type:name`; the others are an id and a cell for each column, `type:text`,
// or nothing for null.

import Listings
import MemoryLists
import Roster

struct Entry<ID: Hashable & LosslessStringConvertible & Sendable>: Identifiable {
    let id: ID
    let cells: [CellValue]
}

func parts(_ field: String) -> (type: String, text: String) {
    // By scalars: a mark behind the colon does not make it another character.
    let scalars = field.unicodeScalars
    let parts = scalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
}

/// The value of a cell; null for a type or a text that makes none.
func value(_ field: String) -> CellValue {
    let (type, text) = parts(field)
    let value: CellValue? =
        switch type {
        case "text": .text(text)
        case "integer": Int64(text).map(CellValue.integer)
        case "real": Double(text).map(CellValue.real)
        case "boolean": .boolean(text == "true")
        case "date": CalendarDate(text).map(CellValue.date)
        default: .null
        }
    return value ?? .null
}

func source<ID: Hashable & LosslessStringConvertible & Sendable>(
    _ records: [[String]],
    _ makeID: (String) -> ID?
) throws -> any ListSource {
    let columns = records[0].dropFirst().enumerated().map { position, field in
        let (type, name) = parts(field)
        let column = Listings.Column(
            name,
            type: ColumnType(rawValue: type) ?? .text,
            isGroupable: type != "integer" && type != "real"
        )
        return ModelColumn<Entry<ID>>(column) { $1.append($0.cells[position]) }
    }
    let models = records.dropFirst().compactMap { record in
        makeID(record[0]).map { Entry(id: $0, cells: record.dropFirst().map(value)) }
    }
    var controllers = ControllerRegistry()
    let rows = try controllers.register(ClosureController(columns: columns))
    let schema = try ListSchema(
        columns: rows.columns,
        idType: ID.self is any BinaryInteger.Type ? .integer : .text,
        defaultSort: [SortKey(.id)]
    )
    return DataSourceList(try DataSource(models: models, using: rows), schema: schema)
}

struct Differential: ListApp {
    let title = "Differential"
    var source: (any ListSource)?

    var lists: some Lists {
        if let source { List("t", source: source) }
    }
}

var input = ""
while let line = readLine(strippingNewline: false) { input += line }
let records = input.split(separator: "\u{1E}").map { record in
    record.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
}
var app = Differential()
app.source =
    records[0][0] == "integer" ? try source(records, Int.init) : try source(records) { $0 }
try await app.run()
