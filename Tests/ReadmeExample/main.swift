import Roster

struct Book: Identifiable {
    let id: Int
    let title: String, author: String, genre: String
}
let books = [
    Book(id: 1, title: "The Dispossessed", author: "Ursula K. Le Guin", genre: "Novel"),
    Book(id: 2, title: "Invisible Cities", author: "Italo Calvino", genre: "Novel"),
    Book(id: 3, title: "The Periodic Table", author: "Primo Levi", genre: "Stories"),
]
let rows = ClosureController<Book>(columns: [
    column("title", \.title, priority: 1), column("author", \.author),
    column("genre", \.genre, isGroupable: true),
])
var events = RowEvents<Book>()
events.actions = { _ in [RowAction("lend", confirm: "Lend this book?")] }
events.perform = { _, book in .removed(message: "\(book.model.title) is yours for two weeks.") }

var service = ListService(title: "Library")
try service.list("books", models: books, using: rows, group: "genre", sort: "author", on: events)
try service.serve()
