import Listings
import MemoryLists

extension ReferenceList {
    func source(_ schema: ListSchema) throws -> MemorySource<ReferenceModel> {
        var registry = ControllerRegistry()
        let registration = try registry.register(
            ReferenceController(columns: schema.columns)
        )
        return try MemorySource(
            models: rows.map { ReferenceModel(id: $0.id.idText, values: $0.values) },
            using: registration,
            schema: schema,
            version: ListVersion(epoch: 1, counter: 1)
        )
    }
}

struct ReferenceModel: Identifiable, Sendable {
    let id: String
    let values: [CellValue]
}

private struct ReferenceController: RowController {
    let kind = "person"
    let columns: [Column]

    func write(_ context: Context<ReferenceModel>, to cells: inout CellBuffer) throws {
        for value in context.model.values { cells.append(value) }
    }

    func revision(of model: ReferenceModel) -> Int64? { nil }
}
