import ListAPI
import SQLite

extension Configuration {
    /// Returns the configuration without the missing files that would not be imported anyway.
    ///
    /// A list whose rows have been written is never imported again. So its file is not needed.
    ///
    /// - Returns: The configuration.
    /// - Throws: ``Failure`` when the database cannot be read.
    func withoutUnneededFiles(_ notices: inout [String]) throws(Failure) -> Configuration {
        guard let database, database != Self.memory, case .regular = FileKind(atPath: database)
        else { return self }
        var configuration = self
        configuration.sources.removeAll()
        for source in sources {
            let name = source.listName
            guard source.isFile, case .missing = FileKind(atPath: source.path),
                try Self.isWritten(name, in: database)
            else {
                configuration.sources.append(source)
                continue
            }
            notices.append(
                "\(name): \(source.path) is missing; the rows of \(database) are served, because "
                    + "they have been changed since the import"
            )
        }
        return configuration
    }

    private static func isWritten(_ list: String, in database: String) throws(Failure) -> Bool {
        do {
            let connection = try DatabaseConnection(.file(database), access: .readOnly)
            return try ListCatalog.isWritten(list, in: connection)
        } catch {
            throw Failure(error, path: database, access: .readOnly)
        }
    }
}
