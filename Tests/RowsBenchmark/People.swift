import Database
import ListAPI
import RosterProgram

protocol People: Sendable {
    var source: TableSource { get }
    var arguments: [String] { get }
    var summary: String { get }

    func makeForgetting() throws -> () throws -> Void
}

extension People {
    static func source(of configuration: Configuration) throws -> TableSource {
        let library = try ListRegistry(configuration)
        guard let source = library.lists.first?.source as? TableSource else {
            fatalError("no list of users")
        }
        return source
    }
}
