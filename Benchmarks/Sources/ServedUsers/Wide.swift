import Listings
import MemoryLists
import Roster

/// A row of as many columns as wanted, to see how the cost of a page grows.
struct Wide: Identifiable, Sendable {
    let id: Int
    let shelf: String
    let text: String

    /// Returns a list of such rows: where there is one section, in their own order.
    static func list(
        _ count: Int,
        sections: Int,
        columns: Int,
        length: Int
    ) throws
        -> any ListSource
    {
        let texts = (0..<100).map { number in
            String(repeating: "abcdefghij", count: length / 10 + 1).prefix(max(0, length - 2))
                + "\(number)"
        }
        let rows = (0..<count).map { number in
            Wide(
                id: number,
                shelf: "shelf \(number * sections / count)",
                text: String(texts[number % 100])
            )
        }
        let controller = ClosureController<Wide>(
            columns: [column("shelf", \.shelf, isGroupable: true)]
                + (0..<columns).map { number in column("text\(number)", \.text) }
        )
        return try source(rows, controller, grouping: sections > 1 ? 0 : nil, sort: [])
    }
}

/// Returns a list of models with their controller.
func source<Controller: RowController>(
    _ models: [Controller.Model],
    _ controller: Controller,
    grouping: Int?,
    sort: [Int]
) throws -> any ListSource {
    var controllers = ControllerRegistry()
    let rows = try controllers.register(controller)
    let schema = try ListSchema(
        columns: rows.columns,
        idType: Controller.Model.ID.self is any BinaryInteger.Type ? .integer : .text,
        defaultGrouping: grouping.map { Grouping(column: $0) },
        defaultSort: sort.map { SortKey(.column($0)) }
    )
    return DataSourceList(try DataSource(models: models, using: rows), schema: schema)
}
