/// The conditions of a request on the state of its resource, in the order of RFC 9110 §13.2.2.
package struct Preconditions: Sendable {
    package enum Outcome: Hashable, Sendable {
        case proceed
        /// The client's copy is still current: 304.
        case notModified
        /// The state is not the one that the client expects: 412.
        case failed
    }

    private let isReading: Bool
    private let ifMatch: String?
    private let ifUnmodifiedSince: String?
    private let ifNoneMatch: String?
    private let ifModifiedSince: String?

    package init(of request: borrowing HTTPRequest) {
        isReading = request.method == .get || request.method == .head
        ifMatch = request.field(.ifMatch)
        ifUnmodifiedSince = request.field(.ifUnmodifiedSince)
        ifNoneMatch = request.field(.ifNoneMatch)
        ifModifiedSince = request.field(.ifModifiedSince)
    }

    /// A malformed If-Match fails, because it matches no state.
    ///
    /// Any other malformed condition is ignored.
    ///
    /// A state without a name has no tag. The current date decides the century of a two-digit year.
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
