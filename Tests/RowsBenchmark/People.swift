import Database
import ListAPI
import RosterProgram

/// Users in a database, as the service serves them.
protocol People: Sendable {
    /// The source of the list.
    var source: TableSource { get }
    /// What the program is started with to serve it.
    var arguments: [String] { get }
    /// What the database is.
    var summary: String { get }

    /// Makes what makes everything that was found out about the list a thing of the past.
    func makeForgetting() throws -> () throws -> Void
}

extension People {
    /// The source of the one list that a configuration has.
    static func source(of configuration: Configuration) throws -> TableSource {
        let library = try ListRegistry(configuration)
        guard let source = library.lists.first?.source as? TableSource else {
            fatalError("no list of users")
        }
        return source
    }
}
