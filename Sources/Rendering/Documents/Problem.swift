package import Listings

/// What is told to a client whose request is refused (RFC 9457); the texts are made elsewhere.
package struct Problem: Sendable {
    /// One thing that was wrong with a request.
    package struct Fault: Sendable {
        /// What was wrong.
        package enum Place: Hashable, Sendable {
            /// A query parameter.
            case parameter(String)
            /// A place in the body, as a JSON pointer (RFC 6901).
            case pointer(String)
            /// A field of the request.
            case field(String)
        }

        /// What was wrong; nil when it is the request as a whole.
        package var place: Place?
        /// Names the kind of fault for programs: `unknown-operator`.
        package var code: String
        /// What was wrong and what is allowed, for people.
        package var detail: String
        /// What was probably meant; nil when nothing is near.
        package var suggestion: String?
        /// The address with the suggestion in place.
        package var correction: String?
        /// Further members for programs, such as `maxLimit`.
        package var members: [(name: String, value: CellValue)]

        /// Creates a fault.
        package init(
            _ place: Place?,
            code: String,
            detail: String,
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

    /// A way out of the problem.
    package struct Way: Sendable {
        /// Names it for programs: `first`, `list`.
        package var relation: String
        /// Names it for people: `Back to the start`.
        package var label: String
        /// Where it leads.
        package var address: String

        /// Creates a way out.
        package init(_ relation: String, label: String, address: String) {
            self.relation = relation
            self.label = label
            self.address = address
        }
    }

    /// Names the kind of problem: a relative address that leads to its explanation.
    package var type: String
    /// The kind of problem, for people.
    package var title: String
    /// The status of the answer.
    package var status: Int
    /// This problem, for people.
    package var detail: String?
    /// Names the request in the log.
    package var instance: String?
    /// What was wrong with the request.
    package var faults: [Fault]
    /// Where to go on.
    package var ways: [Way]
    /// The ids of the rows of a section as they stand, for whoever wanted to move one; nil in every
    /// other problem.
    package var order: [String]?
    /// The row as it stands, drawn as JSON, for whoever meant another state of it; nil in every
    /// other problem.
    package var currentRow: [UInt8]?

    /// Creates a problem.
    package init(
        type: String,
        title: String,
        status: Int,
        detail: String? = nil,
        instance: String? = nil,
        faults: [Fault] = [],
        ways: [Way] = []
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.faults = faults
        self.ways = ways
    }
}
