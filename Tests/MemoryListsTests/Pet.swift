import Listings
import MemoryLists
import TestSupport

/// A small model with every type of value, for the suites of this target.
struct Pet: Identifiable, Sendable {
    let id: Int
    var name: String?
    var species: String?
    var weight: Double?
    var legs: Int64?
    var isTame: Bool?
    var born: CalendarDate?
}

struct PetController: RowController {
    struct Refusal: Error {}

    let kind = "pet.row"
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

    func write(_ context: Context<Pet>, to cells: inout CellBuffer) throws {
        let pet = context.model
        cells.append(pet.name)
        if refusedIDs.contains(pet.id) { throw Refusal() }
        if shortIDs.contains(pet.id) { return }
        cells.append(pet.species)
        cells.append(pet.weight.map(CellValue.real) ?? .null)
        cells.append(pet.legs.map(CellValue.integer) ?? .null)
        cells.append(pet.isTame.map(CellValue.boolean) ?? .null)
        cells.append(pet.born.map(CellValue.date) ?? .null)
    }

    func revision(of model: Pet) -> Int64? { nil }
}

extension MemorySource<Pet> {
    static func pets(
        _ pets: [Pet],
        controller: PetController = PetController()
    ) throws -> MemorySource<Pet> {
        var registry = ControllerRegistry()
        let registration = try registry.register(controller)
        return try MemorySource(
            models: pets,
            using: registration,
            schema: try ListSchema(columns: controller.columns, idType: .integer),
            version: ListVersion(epoch: 1, counter: 1)
        )
    }
}

extension Pet {
    /// Pets with many equal values and nulls, so that every step of an order is needed.
    static func random(count: Int, using generator: inout SeededGenerator) -> [Pet] {
        let names = ["Élan", "elan", "Zoë", "amber", "Ömer", "#1", "王", "שרה", "ab", "Ab", nil]
        return (0..<count).shuffled(using: &generator).map { id in
            Pet(
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
