struct Arguments {
    /// Where the database of SQLite is kept; nil for one of PostgreSQL, which is thrown away.
    let folder: String?
    let rows: Int
    let rounds: Int
    /// The program to start and to ask over a connection; nil asks in this process only.
    let program: String?

    init(_ words: some Sequence<String>) {
        var words = Array(words)
        func option(_ name: String) -> String? {
            guard let location = words.firstIndex(of: name), location + 1 < words.count else {
                return nil
            }
            defer { words.removeSubrange(location...location + 1) }
            return words[location + 1]
        }
        let rows = option("--rows").flatMap { Int($0) }
        rounds = option("--rounds").flatMap { Int($0) } ?? 101
        program = option("--http")
        folder = words.first == "postgres" ? nil : words.first
        self.rows = rows ?? (folder == nil ? 1_000_000 : 10_000_000)
        guard words.count == 1, self.rows >= 3_000, rounds > 0 else {
            fatalError(
                """
                usage: RowsBenchmark (FOLDER | postgres) [--rows N] [--rounds N] [--http PROGRAM], \
                N from 3000
                """
            )
        }
    }
}
