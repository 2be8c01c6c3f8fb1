import System
import TableFiles

extension RemoteError: CustomStringConvertible {
    /// The reason for operators: the status, or the position and the path in the response.
    public var description: String {
        switch self {
        case .invalidAddress(let text): "'\(text)' in the response is no http or https address"
        case .invalidField(let name): "the field \(name) does not follow its grammar"
        case .transport(let failure): failure.text
        case .status(let status, let body): "status \(status)" + Self.excerpt(body)
        case .tooLarge(let maximum): "the response is larger than \(maximum) bytes"
        case .tooManyRedirects(let maximum): "more than \(maximum) redirects"
        case .refusedAddress(let address):
            "the response leads to another server, \(address); use that address as the source"
        case .tooManyPages(let maximum): "more than \(maximum) pages"
        case .tooSlow(let maximum):
            "reading all pages takes longer than \(maximum.components.seconds) s"
        case .repeatedPage(let address): "the pages come round again at \(address)"
        case .unsupportedFormat(let type):
            "the response is \(type); allowed: JSON, NDJSON, CSV and TSV"
        case .decoding(let error): error.text
        case .repeatedID(let id, let first, let second):
            "id '\(id)' stands in row \(first.row) of page \(first.page) and again in "
                + "row \(second.row) of page \(second.page)"
        case .columnChanged(let name, let old, let new):
            "column '\(name)' was \(old) when this program started and is \(new) now; "
                + "start it again to take that"
        }
    }

    /// Returns the first line of a body, up to 200 characters; empty if it has control characters.
    private static func excerpt(_ body: String) -> String {
        let line = body.prefix { !$0.isNewline }.prefix(200)
        let isText = line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return line.isEmpty || !isText ? "" : ": \(line)"
    }
}

extension TransportFailure {
    fileprivate var text: String {
        switch self {
        case .timedOut: "no response in time"
        case .unknownHost: "the host has no known address"
        case .unreachable: "the host does not take connections"
        case .connectionLost: "the connection broke before the response was complete"
        case .malformedResponse: "what came is not HTTP, or not coded as it says"
        case .insecure: "the certificate is not trusted, or TLS could not be agreed on"
        case .programMissing(let path): "fetching needs the program \(path), which is missing"
        case .programNotStarted(let path, let code):
            "fetching needs the program \(path), which cannot be started: "
                + SystemError(call: "posix_spawn", code: code).reason
        case .libraryMissing:
            "fetching needs libcurl (libcurl.so.4), which is not installed: apt-get install libcurl4"
        case .programFailed: "the process that fetches failed"
        case .other(let number): "error \(number) of the fetching library"
        }
    }
}

extension RemoteDecodingError {
    fileprivate var text: String {
        let row = row.map { ", row \($0)" } ?? ""
        let suffix = path.isEmpty ? "" : ", \(path)"
        switch reason {
        case .file(let reason, let location):
            let spot = location.map { ", line \($0.line), column \($0.column)" } ?? ""
            return "page \(page)\(row)\(spot): \(reason.text)"
        case .noRows(let members):
            let names = members.prefix(20).joined(separator: ", ")
            return "page \(page) is an object without a list of rows; it has \(names)"
        case .pagedFormat(let format):
            return "page \(page) is \(format.rawValue) and has a next page, which only JSON can"
        case .failedRow: return "page \(page)\(row): the service could not show this row"
        case .model(let text): return "page \(page)\(row)\(suffix): \(text)"
        }
    }
}
