package import Listings

/// An error whose response explains it (RFC 9457).
package struct Problem: Error {
    /// One error of a request.
    ///
    /// Thrown alone, it is an error in the content of the request.
    package struct Fault: Error {
        /// The part of the request that is wrong.
        package enum Place: Hashable, Sendable {
            /// A query parameter.
            case parameter(String)
            /// A position in the body, as a JSON pointer (RFC 6901).
            case pointer(String)
            /// A field of the request.
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

        /// A change of the parameters of an address.
        package enum Change: Sendable {
            /// The parameter is renamed.
            case rename(String, to: String)
            /// The parameter gets another value.
            case set(String, to: String)
            /// A word of the parameter's value is replaced.
            case replace(String, with: String, in: String)
            /// The parameter is removed.
            case remove(String)
        }

        /// The part of the request that is wrong, or nil for the whole request.
        package var place: Place?
        /// The kind of error for programs, such as `unknown-operator`.
        package var code: String
        /// The error and the allowed values, for people.
        package var detail: Text
        /// The probably intended value, or nil if none is similar.
        package var suggestion: String?
        /// The change that corrects the address of the request.
        package var change: Change?
        /// The corrected address, set with the response.
        package var correction: String?
        /// Additional members for programs, such as `maxLimit`.
        package var members: [(name: String, value: CellValue)]

        package init(
            _ place: Place?,
            code: String,
            detail: Text,
            suggestion: String? = nil,
            correction: String? = nil,
            members: [(name: String, value: CellValue)] = []
        ) {
            self.place = place
            self.code = code
            self.detail = detail
            self.suggestion = suggestion
            self.correction = correction
            self.members = members
        }
    }

    /// A link that helps to continue after a problem.
    package struct Way: Sendable {
        /// The relation for programs, such as `first` or `list`.
        package var relation: String
        /// The label for people, such as `Back to the start`.
        package var label: Text
        /// The target address.
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
    /// The relative address of the explanation of the kind, set with the response.
    package var type = ""
    /// The detail of this problem, for people.
    package var detail: Text
    /// The detail on a page, for people in browsers; nil for ``detail``.
    package var pageDetail: Text?
    /// The cause of the problem, for the log only.
    package var cause: String?
    /// Fields of the response, such as Allow.
    package var fields: [(name: String, value: String)]
    /// The id of the request in the log, set with the response.
    package var instance: String?
    /// The errors of the request.
    package var faults: [Fault]
    /// The links that help to continue.
    package var ways: [Way]
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
        ways: [Way] = [],
        fields: [(name: String, value: String)] = [],
        cause: String? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.faults = faults
        self.ways = ways
        self.fields = fields
        self.cause = cause
    }
}

/// A kind of problems, which has a page that explains it.
package struct ProblemKind: Hashable, Sendable {
    /// The status of the response.
    package let status: Int
    /// The name for programs, such as `invalid-parameter`.
    package let name: String
    /// The title, for people.
    package let title: String
    /// The explanation and the remedy, for people.
    package let explanation: String

    package init(_ status: Int, _ name: String, _ title: String, explanation: () -> String) {
        self.status = status
        self.name = name
        self.title = title
        self.explanation = explanation()
    }
}
