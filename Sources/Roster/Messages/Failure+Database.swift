import SQLite

extension Failure {
    /// What is said about a database that cannot be used.
    init(_ error: SQLiteError, path: String? = nil) {
        let place = path.map { "\($0): " } ?? "database: "
        self.init(.unavailable, place + "\(error)")
    }
}
