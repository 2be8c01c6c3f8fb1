import ListAPI
import ListAPITestSupport
import Listings
import Testing

@Suite("A request for a list whose definition changes")
struct RestartTests {
    /// A database whose list has another definition at every look.
    private struct Database: ChangingLists {
        let list: ListDefinition

        var definitions: [ListDefinition] { [list] }
        let failures: [FailedSource] = []

        func refresh(
            besides taken: Set<String>,
            isForced: Bool
        ) throws(Failure) -> ListChanges {
            ListChanges(others: [list.name])
        }
    }

    private func status(changes: Int) throws -> Int {
        var source = CountingSource(base: try ListDefinition.sampleUsers().source)
        source.failure = { pages in pages < changes ? .redefined : nil }
        let list = ListDefinition("users", source: source)
        var options = ServiceOptions()
        options.lists = ServedLists([], [Database(list: list)])
        return try Client([list], options: options).get("/users?limit=3").status
    }

    @Test("is restarted until its rows are read, even if the definition changes again meanwhile")
    func restarted() throws {
        for changes in 0...4 { #expect(try status(changes: changes) == 200) }
    }

    @Test("gets 503 where the definition changes again and again")
    func refused() throws {
        #expect(try status(changes: 5) == 503)
    }
}
