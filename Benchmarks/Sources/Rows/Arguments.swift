/// What the command line asks for.
struct Arguments {
    /// Where the database is kept.
    let folder: String
    let rows: Int
    let rounds: Int
    /// The program to start and to ask over a connection; nil asks in this process only.
    let program: String?

    init(_ words: some Sequence<String>) {
        var words = Array(words)
        func option(_ name: String) -> String? {
            guard let place = words.firstIndex(of: name), place + 1 < words.count else {
                return nil
            }
            defer { words.removeSubrange(place...place + 1) }
            return words[place + 1]
        }
        rows = option("--rows").flatMap { Int($0) } ?? 10_000_000
        rounds = option("--rounds").flatMap { Int($0) } ?? 101
        program = option("--http")
        guard words.count == 1, rows >= 3_000, rounds > 0 else {
            fatalError(
                "usage: RowsBenchmark FOLDER [--rows N] [--rounds N] [--http PROGRAM], N from 3000"
            )
        }
        folder = words[0]
    }
}
