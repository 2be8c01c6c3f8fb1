/// Several lists under one address, of which one is shown at a time: the tabs of a list.
public struct Segments: Sendable {
    /// One of the lists.
    public struct Segment: Sendable {
        /// Names it in addresses.
        public let id: String
        /// The title people read.
        public let title: String
        /// Where its rows come from.
        public let source: any ListSource

        /// Creates a segment.
        public init(_ id: String, title: String? = nil, source: any ListSource) {
            self.id = id
            self.title = title ?? Column.label(from: id)
            self.source = source
        }
    }

    /// The one that is shown when none is asked for.
    public let first: Segment
    /// All of them, in their order.
    public let all: [Segment]

    /// Creates segments. O(segments).
    ///
    /// - Throws: ``DataSourceError/duplicateSegment(_:)``.
    public init(_ first: Segment, _ others: Segment...) throws(DataSourceError) {
        var ids: Set<String> = []
        for segment in [first] + others where !ids.insert(segment.id).inserted {
            throw .duplicateSegment(segment.id)
        }
        self.first = first
        all = [first] + others
    }

    /// The segment that has an id, or the first one for nil; nil when there is none. O(segments).
    public func segment(_ id: String?) -> Segment? {
        guard let id else { return first }
        return all.first { $0.id == id }
    }
}
