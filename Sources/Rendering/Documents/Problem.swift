package import Listings

/// An error whose response explains it (RFC 9457).
package struct Problem: Error {
    package struct Fault: Error {
        package enum Location: Hashable, Sendable {
            case parameter(String)
            /// A position in the body, as a JSON pointer (RFC 6901).
            case pointer(String)
            case field(String)
            /// A position in a file, and the name of the column there; both numbers begin with 1.
            case file(line: Int, column: Int, field: String?)

            /// The name of the part; empty for a position in a file without a column.
            package var name: String {
                switch self {
                case .parameter(let name), .pointer(let name), .field(let name): name
                case .file(_, _, let field): field ?? ""
                }
            }
        }

        package enum Change: Sendable {
            case rename(String, to: String)
            case set(String, to: String)
            case replace(String, with: String, in: String)
            case remove(String)
        }

        package var location: Location?
        package var code: String
        package var detail: Text
        package var suggestion: String?
        package var change: Change?
        package var correction: String?
        package var members: [(name: String, value: CellValue)]

        package init(
            _ location: Location?,
            code: String,
            detail: Text,
            suggestion: String? = nil,
            correction: String? = nil,
            members: [(name: String, value: CellValue)] = []
        ) {
            self.location = location
            self.code = code
            self.detail = detail
            self.suggestion = suggestion
            self.correction = correction
            self.members = members
        }
    }

    package struct Link: Sendable {
        package var relation: String
        package var label: Text
        package var address: String

        package init(_ relation: String, label: Text, address: String) {
            self.relation = relation
            self.label = label
            self.address = address
        }

        package init(_ relation: String, name: String, address: String) {
            self.init(relation, label: "\(name)", address: address)
        }
    }

    package let kind: ProblemKind
    package var type = ""
    package var detail: Text
    /// The detail on a page, for people in browsers; nil for ``detail``.
    package var pageDetail: Text?
    /// The cause of the problem, for the log only.
    package var cause: String?
    package var fields: [(name: String, value: String)]
    package var instance: String?
    package var faults: [Fault]
    package var links: [Link]
    /// The current order of the ids of a section's rows, for a client that tried to move one.
    ///
    /// It is nil in all other problems.
    package var order: [String]?
    /// The current row as JSON, for a client that expected another state of it.
    ///
    /// It is nil in all other problems.
    package var currentRow: [UInt8]?

    package init(
        _ kind: ProblemKind,
        _ detail: Text,
        faults: [Fault] = [],
        links: [Link] = [],
        fields: [(name: String, value: String)] = [],
        cause: String? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.faults = faults
        self.links = links
        self.fields = fields
        self.cause = cause
    }
}

package struct ProblemKind: Hashable, Sendable {
    package let status: Int
    package let name: String
    package let title: String
    package let explanation: String

    package init(_ status: Int, _ name: String, _ title: String, explanation: () -> String) {
        self.status = status
        self.name = name
        self.title = title
        self.explanation = explanation()
    }
}
