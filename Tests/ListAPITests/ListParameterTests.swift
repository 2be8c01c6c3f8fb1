import HTTP
import Listings
import Rendering
import Testing

@testable import ListAPI

@Suite("Query parameters")
struct ListParameterTests {
    @Test("no column of a list can have the name of a parameter that reads pages")
    func namesAreReserved() {
        let writing: ParameterSet = [.since, .include, .onDuplicate, .on, .conditions]
        let reading = Parameter.table.filter { !writing.contains($0.id) }
        for parameter in reading {
            // A later parameter gives way to a column of its name.
            let schema = try? ListSchema(columns: [Column(parameter.name)])
            if let schema, parameter.isColumn(of: schema) { continue }
            #expect(ListSchema.reservedIDs.contains(parameter.name), "\(parameter.id)")
        }
    }

    @Test("the table and the order of documents have each parameter once")
    func namesAreComplete() {
        #expect(Parameter.table.map(\.id.rawValue).sorted() == Array(Parameter.table.indices))
        #expect(Set(ListParameter.documented) == Set(ListParameter.allCases))
        #expect(ListParameter.documented.count == ListParameter.allCases.count)
    }

    @Test("the examples in a list's schema are accepted at its address")
    func examplesAreAccepted() throws {
        let schema = try ListSchema(
            columns: [Column("city", isGroupable: true), Column("age", type: .integer)],
            defaultGrouping: Grouping(column: 0)
        )
        let traits = ListTraits(schema: schema)
        let documented = Parameter.documented(in: traits).filter {
            !["after", "before", "section", "{column}__{operator}"].contains($0.name)
        }
        #expect(documented.count > 8)
        for parameter in documented {
            var parameters = ListParameters(
                [.init(name: parameter.name, value: parameter.example)],
                list: "people",
                schema: schema,
                accepted: .accepted(at: .list)
            )
            parameters.readRequest()
            #expect(parameters.errors.isEmpty, "\(parameter.name): \(parameters.errors)")
        }
    }
}
