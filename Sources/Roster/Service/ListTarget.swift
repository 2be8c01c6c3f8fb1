import Listings
import Rendering

/// What a request's path points to: a list and what of it.
struct ListTarget {
    let endpoint: ListEndpoint
    let place: ListLinks.Place
    /// The format, if the address named it.
    let suffix: PageFormat?

    /// Whether who asks may write to it.
    let isWritable: Bool
    /// What the rows meet that there are for who asks.
    private let scope: [Filter]

    /// The segments of the list; none for a list without.
    let segments: [Segments.Segment]

    init(
        _ endpoint: ListEndpoint,
        _ place: ListLinks.Place,
        _ suffix: PageFormat?,
        segments: [Segments.Segment]
    ) {
        self.endpoint = endpoint
        isWritable = endpoint.writer != nil && endpoint.view.mayWrite
        scope = endpoint.view.conditions
        self.segments = segments
        self.place = place
        self.suffix = suffix
    }

    /// The formats it is offered in, the preferred one first.
    var formats: [PageFormat] {
        switch place {
        case .list, .section, .children: [.json, .html, .csv, .ndjson]
        case .row, .sections, .schema: [.json, .html]
        case .changes: [.json]
        case .cell: []
        }
    }

    /// The parameters it takes.
    var accepted: ListParameters.Accepted {
        var own: ListParameters.Accepted =
            switch place {
            case .list:
                [.paging, .rows, .grouping, .sections, .filters, .counts, .overview, .layout]
            case .section: [.paging, .rows, .grouping, .filters, .counts, .overview, .layout]
            case .children: [.paging, .columns, .layout]
            case .sections: [.paging, .grouping, .filters, .counts]
            case .row: [.columns]
            case .schema, .cell: []
            case .changes:
                [
                    .paging, .rows, .grouping, .sections, .filters, .counts, .overview, .layout,
                    .changes,
                ]
            }
        if !segments.isEmpty { own.insert(.segment) }
        if showsList, endpoint.reader.canCollapse { own.insert(.folding) }
        let showsRows = own.contains(.layout)
        if showsRows, endpoint.reader.hasOutline { own.insert(.outline) }
        return own
    }

    /// Whether the whole list is paged.
    private var showsList: Bool { place == .list || place == .changes }

    /// The question that the parameters ask of it.
    ///
    /// - Returns: nil when the parameters have errors.
    func query(_ parameters: inout ListParameters) -> ListQuery? {
        var query =
            switch place {
            case .list, .row, .cell, .schema, .changes: parameters.query()
            case .sections: parameters.query(isIndex: true)
            case .section(let id): parameters.query(section: id)
            case .children(let id): parameters.query(parent: id)
            }
        query?.scope = scope
        return query
    }
}
