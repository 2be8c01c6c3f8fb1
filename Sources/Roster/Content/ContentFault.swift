import Rendering

/// What is wrong with a member of a request's content, that was otherwise read.
struct ContentFault: Error, Hashable, Sendable {
    /// The kinds of faults.
    enum Kind: Hashable, Sendable {
        /// Nothing of this name is known here.
        case unknown(allowed: [String])
        /// The value is of another type than the one wanted, or malformed.
        case malformed(wanted: Wanted)
        /// What may stand once stands more often, or an id is named twice.
        case repeated
        /// Of these exactly one is wanted.
        case ambiguous(choices: [String])
        /// One of these is wanted and none is there.
        case missing(choices: [String])
        /// The request gives no value of a row, which takes these.
        case missingContent(columns: [String])
        /// No column has the name.
        case unknownColumn
        /// The id is another than the one of the address.
        case otherID(String)
        /// More rows are chosen than can be acted on at once.
        case tooMany(maximum: Int)
        /// There are more members than an object or a form may have.
        case tooManyMembers(maximum: Int)
    }

    /// What a value has to be.
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

    /// Where; nil is the content as a whole.
    let place: Problem.Fault.Place?
    /// What is wrong.
    let kind: Kind
}
