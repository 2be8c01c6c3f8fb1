import HTTP
import Listings
import Rendering
import Testing

@testable import ListAPI

@Suite("Query parameters")
struct ListParameterTests {
    @Test("no column of a list can have the name of a parameter that reads pages")
    func namesAreReserved() {
        let reading = ListParameter.allCases.filter {
            !ListParameter.Accepted([.changes, .duplicates, .matching]).accepts($0)
        }
        for parameter in reading {
            // A later parameter gives way to a column of its name.
            let schema = try? ListSchema(columns: [Column(parameter.name)])
            if let schema, parameter.isColumn(of: schema) { continue }
            #expect(ListSchema.reservedIDs.contains(parameter.name), "\(parameter)")
        }
    }

    @Test("the examples in a list's schema are accepted at its address")
    func examplesAreAccepted() throws {
        let schema = try ListSchema(
            columns: [Column("city", isGroupable: true), Column("age", type: .integer)],
            defaultGrouping: Grouping(column: 0)
        )
        let context = ListParameter.Context(schema: schema)
        let documented = ListParameter.documented(in: context).filter {
            !["after", "before", "section", "{column}__{operator}"].contains($0.name)
        }
        #expect(documented.count > 8)
        for parameter in documented {
            var parameters = ListParameters(
                [.init(name: parameter.name, value: parameter.example)],
                list: "people",
                schema: schema,
                accepted: [
                    .paging, .rows, .grouping, .sections, .filters, .counts, .overview, .layout,
                    .byteOrderMark, .shape, .pretty,
                ]
            )
            #expect(parameters.query() != nil, "\(parameter.name): \(parameters.errors)")
        }
    }
}
