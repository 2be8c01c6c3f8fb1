/// The time limits of reading; nil uses the default of the source.
package struct ReadingTimes: Hashable, Sendable {
    /// The limit for the rows of a page.
    ///
    /// If it is exceeded, the response is an error.
    package var rows: Duration?
    /// The limit for the counts of a page.
    ///
    /// If it is exceeded, the page has no counts.
    package var counts: Duration?
    /// The limit for the facets of a page.
    ///
    /// If it is exceeded, the page has no facets.
    package var facets: Duration?

    /// Uses the defaults of the source.
    package init() {}
}
