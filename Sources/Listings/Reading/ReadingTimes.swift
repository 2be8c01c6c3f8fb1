/// The time that reading may take; nil leaves a part to the source.
package struct ReadingTimes: Hashable, Sendable {
    /// For the rows of a page; over it the response is an error.
    package var rows: Duration?
    /// For the counts of a page; over it they are left out.
    package var counts: Duration?
    /// For the facets of a page; over it they are left out.
    package var facets: Duration?

    /// Leaves all of it to the source.
    package init() {}
}
