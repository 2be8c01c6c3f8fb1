import Rendering

/// An error in a member of a request's content.
struct ContentValidationError: Error, Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The member is unknown.
        case unknown(allowed: [String])
        /// The value has another type than expected, or is malformed.
        case malformed(wanted: Wanted)
        /// A single member occurs several times, or an ID is named twice.
        case repeated
        /// More than one of these members is present, but exactly one is allowed.
        case ambiguous(choices: [String])
        /// None of these members is present, but one is required.
        case missing(choices: [String])
        /// The request sets no value of a row, which has these columns.
        case missingContent(columns: [String])
        case unknownColumn
        /// The ID differs from that of the URL.
        case otherID(String)
        /// More rows are selected than an action may have.
        case tooMany(maximum: Int)
        /// An object or a form has too many members.
        case tooManyMembers(maximum: Int)
    }

    /// The expected value.
    enum Wanted: Hashable, Sendable {
        case object
        case rows
        case key
        case text
        case texts
        case trueOnly
        case place
        case direction
    }

    /// The position of the error; nil is the whole content.
    let place: Problem.Fault.Place?
    let kind: Kind
}
