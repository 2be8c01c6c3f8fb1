import ListAPI
import ListAPITestSupport
import Listings
import Testing

@testable import RosterProgram

@Suite("Arguments about relations")
struct RelationArgumentsTests {
    @Test("a label is a column, or several with + between them")
    func labels() throws {
        var arguments = RelationArguments()
        arguments.labels = try RelationArguments.labels(
            "users=lastName+firstName",
            origin: "--label"
        )
        let options = try arguments.options(for: [.sampleUsers()])
        #expect(options.labels == ["users": ["lastName", "firstName"]])
    }

    @Test(
        "a label of an unknown column is refused",
        arguments: ["users=lastname", "users=lastName+lastname", "users=lastName+"]
    )
    func unknownLabels(value: String) throws {
        var arguments = RelationArguments()
        arguments.labels = try RelationArguments.labels(value, origin: "--label")
        let lists = [try ListDefinition.sampleUsers()]
        #expect(throws: Failure.self) { try arguments.options(for: lists) }
    }
}
