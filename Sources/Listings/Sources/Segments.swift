/// Several lists at one URL, shown one at a time as tabs.
public struct Segments: Sendable {
    /// One of the lists.
    public struct Segment: Sendable {
        /// The identifier in URLs.
        public let id: String
        /// The displayed title.
        public let title: String
        /// The source of its rows.
        public let source: any ListSource

        /// Creates a segment.
        public init(_ id: String, title: String? = nil, source: any ListSource) {
            self.id = id
            self.title = title ?? Column.label(from: id)
            self.source = source
        }
    }

    /// The segment shown by default.
    public let first: Segment
    /// All segments, in their order.
    public let all: [Segment]

    /// Creates segments.
    ///
    /// - Complexity: O(segments).
    ///
    /// - Throws: ``DataSourceError/duplicateSegment(_:)``.
    public init(_ first: Segment, _ others: Segment...) throws(DataSourceError) {
        try self.init([first] + others)
    }

    /// There is at least one.
    package init(_ all: [Segment]) throws(DataSourceError) {
        var ids: Set<String> = []
        for segment in all where !ids.insert(segment.id).inserted {
            throw .duplicateSegment(segment.id)
        }
        (first, self.all) = (all[0], all)
    }

    /// The segment with an id, or the first one for nil; nil when there is none.
    ///
    /// - Complexity: O(segments).
    public func segment(_ id: String?) -> Segment? {
        guard let id else { return first }
        return all.first { $0.id == id }
    }
}
