import Listings
import People
import Roster

// The list of the comparison with other servers, as an embedder of the library would serve it:
//
//   users [COUNT]                            so many users (50) at /users, in three sections
//   users COUNT SECTIONS COLUMNS LENGTH      rows of so many columns, in so many sections, with cells
//                                            of so many letters, in their own order, at /users
//
// ROSTER_PORT, ROSTER_LOOPS, ROSTER_PAGE_CACHE and so on mean what they always do.

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }

struct Users: ListApp {
    let title = "Users"
    var source: (any ListSource)?

    var lists: some Lists {
        if let source { List("users", source: source) }
    }
}

var app = Users()
if numbers.count == 4 {
    app.source = try Wide.list(
        numbers[0],
        sections: numbers[1],
        columns: numbers[2],
        length: numbers[3]
    )
} else {
    let controller = ClosureController<Person>(
        columns: [
            column("firstName", \.firstName), column("lastName", \.lastName),
            column("occupation", \.occupation, isGroupable: true),
        ]
    )
    app.source = try source(
        Person.make(numbers.first ?? 50),
        controller,
        grouping: 2,
        sort: [1, 0]
    )
}
try await app.run()
