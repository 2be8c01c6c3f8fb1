import Listings
import Rendering

/// The list and the part of it that a request's path names.
struct ListResource {
    let endpoint: ServedList
    let place: URLBuilder.Place
    /// The format in the suffix of the address; nil without one.
    let suffix: PageFormat?

    /// Whether the caller may write to it.
    let isWritable: Bool
    /// The filters of the rows that the caller may see.
    private let scope: [Filter]

    /// The segments of the list; empty without any.
    let segments: [Segments.Segment]

    init(
        _ endpoint: ServedList,
        _ place: URLBuilder.Place,
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

    /// The offered formats, the preferred one first.
    var formats: [PageFormat] {
        switch place {
        case .list, .section, .children: [.json, .html, .csv, .ndjson]
        case .row, .sections, .schema: [.json, .html]
        case .changes: [.json]
        case .cell: []
        }
    }

    /// The accepted parameters.
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

    /// Whether the target pages the whole list.
    private var showsList: Bool { place == .list || place == .changes }

    /// Returns the query of the parameters.
    ///
    /// - Returns: The query; nil when the parameters have errors.
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
