import Listings
import Rendering
import SQLite
import TableFiles

enum FailedImport {
    /// Returns the text about a failed write, which wrote nothing or may be uncertain.
    static func text(of error: WriteError, _ list: String) -> Text {
        switch error {
        case .busy: return "Another client is writing; try again later."
        case .full: return "There is no room left."
        case .uncertain(let reason):
            Diagnostics.write("\(list): \(reason)", .error)
            return "The connection to the database broke during the commit. The rows may be "
                + "written: check before you repeat the request."
        case .refused: return "The database has a rule that a row does not follow."
        case .unsaved(let file, let reason): return .unsaved(file, reason)
        case .unavailable(let reason), .failed(let reason):
            Diagnostics.write("\(list): \(reason)", .error)
            fallthrough
        case .reusedKey, .keepsNoAnswers, .readOnly, .redefined:
            return "The list cannot be written to at the moment."
        }
    }

    static func text(of error: ImportError) -> Text {
        Diagnostics.write("\(error)", .error)
        return "The content cannot be read again."
    }

    static func fault(_ error: FileError) -> Problem.Fault {
        let detail = Text(error.reason.text.capitalisedSentence)
        return Problem.Fault(nil, code: "malformed-content", detail: detail).at(error.location)
    }
}

extension Text {
    static func unsaved(_ file: String, _ reason: String) -> Text {
        "Edits cannot be saved in the file '\(file)': \(reason)."
    }
}

extension Problem.Fault {
    func at(_ position: FileLocation) -> Problem.Fault {
        var fault = self
        fault.location = .file(line: position.line, column: position.column, field: location?.name)
        return fault
    }
}

extension String {
    fileprivate var capitalisedSentence: String {
        prefix(1).uppercased() + dropFirst() + "."
    }
}
