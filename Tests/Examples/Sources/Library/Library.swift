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

@main struct Library: ListApp {
    var lists: some Lists {
        List("books", books) {
            Column(\.title)
            Column(\.author)
            Column(\.genre)
        }
        .grouped(by: \.genre).sorted(by: \.author)
        .action("lend", confirm: "Lend this book?") { book, _ in
            .removed(message: "\(book.title) is yours for two weeks.")
        }
    }
}
