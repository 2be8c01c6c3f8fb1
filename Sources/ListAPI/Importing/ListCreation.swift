package import Listings
package import Rendering
package import System
package import TableFiles

/// A file that a client sent for a list, and the options to read it.
package struct ListContent: Sendable {
    package let file: TemporaryFile
    /// Its ending selects the format; without one, the content does.
    package let name: String
    package var options: [(name: String, value: String)] = []
    /// The columns with the ids that a form chose, by their names in the file.
    package var key: [String] = []
    /// The types that a form chose, by the ids of the columns.
    package var types: [String: ColumnType] = [:]
}

/// The database or folder of a service in which clients make lists.
package protocol ListCreation: Sendable {
    /// The names and meanings of ``ListContent/options``.
    var parameters: [(name: String, summary: String)] { get }

    /// Whether the place stores a key and types, as a database does.
    var keepsTypes: Bool { get }

    /// Checks a file and writes nothing.
    func preview(_ content: ListContent, rows: Int) throws(CreationFailure) -> ReadList

    /// Makes a list, which is stored and served when this returns.
    func create(_ name: String, from content: ListContent) throws(CreationFailure) -> ReadList
}

package struct CreationFailure: Error {
    package enum Reason: Sendable {
        case unusableName
        case takenName
        case option(String)
        case content
        case full
        case unavailable
    }

    private let reason: Reason
    private let text: String
    private let errors: [FileError]
    /// The cause, for the log only.
    private let cause: String?

    package init(
        _ reason: Reason,
        _ text: String,
        _ errors: [FileError] = [],
        cause: String? = nil
    ) {
        self.reason = reason
        self.text = text
        self.errors = errors
        self.cause = cause
    }

    var problem: Problem {
        let detail = Text(text + ".")
        func invalid(_ parameter: String) -> Problem {
            let fault = Problem.Fault(.parameter(parameter), code: "unknown-option", detail: detail)
            return Problem(.invalidParameter, detail, faults: [fault])
        }
        return switch reason {
        case .unusableName: invalid("name")
        case .option(let name): invalid(name)
        case .takenName: Problem(.conflict, detail)
        case .content: Problem(.invalidFile, detail, faults: errors.map(FailedImport.fault))
        case .full: Problem(.outOfRoom, detail, cause: cause)
        case .unavailable: Problem(.unavailable, detail, cause: cause)
        }
    }
}

/// A checked file, which a person makes a list of on a page.
final class ListDraft: Sendable {
    let id = String(UInt64.random(in: .min ... .max), radix: 36)
    let since = ContinuousClock.now
    let content: ListContent
    let list: ReadList

    init(_ content: ListContent, _ list: ReadList) {
        self.content = content
        self.list = list
    }
}
