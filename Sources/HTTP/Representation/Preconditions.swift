/// The conditions a request puts on the state of what it asks for, judged in the order of RFC 9110
/// §13.2.2.
package struct Preconditions: Sendable {
    /// What the conditions come to.
    package enum Outcome: Hashable, Sendable {
        /// Answer as without conditions.
        case proceed
        /// The client's copy is still right: 304.
        case notModified
        /// The state is not the one the client means: 412.
        case failed
    }

    private let isReading: Bool
    private let ifMatch: String?
    private let ifUnmodifiedSince: String?
    private let ifNoneMatch: String?
    private let ifModifiedSince: String?

    /// Takes the conditions from a request.
    package init(of request: borrowing HTTPRequest) {
        isReading = request.method == .get || request.method == .head
        ifMatch = request.field(.ifMatch)
        ifUnmodifiedSince = request.field(.ifUnmodifiedSince)
        ifNoneMatch = request.field(.ifNoneMatch)
        ifModifiedSince = request.field(.ifModifiedSince)
    }

    /// Judges the conditions.
    ///
    /// An If-Match that cannot be read fails, as nothing matches it; every other condition that
    /// cannot be read is ignored.
    ///
    /// - Parameters:
    ///   - tag: Names the current state; nil when it has no name.
    ///   - lastModified: When the state began; nil when that is not known.
    ///   - now: Decides the century of a date with a year of two digits.
    /// - Returns: What to do.
    package func judge(
        tag: EntityTag?,
        lastModified: HTTPDate? = nil,
        now: HTTPDate
    ) -> Outcome {
        if let ifMatch {
            let condition = EntityTagCondition(parsing: ifMatch)
            guard let condition, condition.holdsStrongly(for: tag) else { return .failed }
        } else if let lastModified, let date = Self.date(ifUnmodifiedSince, now),
            lastModified > date
        {
            return .failed
        }
        if let ifNoneMatch {
            guard let condition = EntityTagCondition(parsing: ifNoneMatch),
                condition.holdsWeakly(for: tag)
            else { return .proceed }
            return isReading ? .notModified : .failed
        }
        if isReading, let lastModified, let date = Self.date(ifModifiedSince, now),
            lastModified <= date
        {
            return .notModified
        }
        return .proceed
    }

    private static func date(_ value: String?, _ now: HTTPDate) -> HTTPDate? {
        value.flatMap { HTTPDate(parsing: $0, now: now) }
    }
}

extension EntityTagCondition {
    fileprivate func holdsStrongly(for tag: EntityTag?) -> Bool {
        guard let tag else { return self == .any }
        return matchesStrongly(tag)
    }

    fileprivate func holdsWeakly(for tag: EntityTag?) -> Bool {
        guard let tag else { return self == .any }
        return matchesWeakly(tag)
    }
}
