import Listings
import MemoryLists
import TestSupport

struct TypedModel: Identifiable, Sendable {
    let id: Int
    var name: String?
    var species: String?
    var weight: Double?
    var legs: Int64?
    var isTame: Bool?
    var born: CalendarDate?
}

struct TypedModelController: RowController {
    struct Refusal: Error {}

    let kind = "typed.row"
    let columns = [
        Column("name", priority: 1),
        Column("species", isGroupable: true),
        Column("weight", type: .real),
        Column("legs", type: .integer),
        Column("tame", type: .boolean),
        Column("born", type: .date),
    ]
    var refusedIDs: Set<Int> = []
    var shortIDs: Set<Int> = []

    func write(_ context: Context<TypedModel>, to cells: inout CellBuffer) throws {
        let model = context.model
        cells.append(model.name)
        if refusedIDs.contains(model.id) { throw Refusal() }
        if shortIDs.contains(model.id) { return }
        cells.append(model.species)
        cells.append(model.weight.map(CellValue.real) ?? .null)
        cells.append(model.legs.map(CellValue.integer) ?? .null)
        cells.append(model.isTame.map(CellValue.boolean) ?? .null)
        cells.append(model.born.map(CellValue.date) ?? .null)
    }

    func revision(of model: TypedModel) -> Int64? { nil }
}

extension MemorySource<TypedModel> {
    static func typedModels(
        _ models: [TypedModel],
        controller: TypedModelController = TypedModelController()
    ) throws -> MemorySource<TypedModel> {
        var registry = ControllerRegistry()
        let registration = try registry.register(controller)
        return try MemorySource(
            models: models,
            using: registration,
            schema: try ListSchema(columns: controller.columns, idType: .integer),
            version: ListVersion(epoch: 1, counter: 1)
        )
    }
}

extension TypedModel {
    /// Models with many equal values and nulls, so that every step of an order is needed.
    static func random(count: Int, using generator: inout SeededGenerator) -> [TypedModel] {
        let names = ["Élan", "elan", "Zoë", "amber", "Ömer", "#1", "王", "שרה", "ab", "Ab", nil]
        return (0..<count).shuffled(using: &generator).map { id in
            TypedModel(
                id: id,
                name: names.randomElement(using: &generator) ?? nil,
                species: ["cat", "dog", "~owl", "", nil].randomElement(using: &generator) ?? nil,
                weight: [0.5, -1, 3.25, nil].randomElement(using: &generator) ?? nil,
                legs: [2, 4, nil].randomElement(using: &generator) ?? nil,
                isTame: [true, false, nil].randomElement(using: &generator) ?? nil,
                born: [CalendarDate("2020-02-29"), CalendarDate("1999-12-31"), nil]
                    .randomElement(using: &generator) ?? nil
            )
        }
    }
}
