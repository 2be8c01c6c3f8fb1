import Listings
import Rendering

/// What a request's path points to: a list and what of it.
struct ListTarget {
    let endpoint: ListEndpoint
    let place: ListLinks.Place
    /// The format, if the address named it.
    let suffix: PageFormat?

    init(_ endpoint: ListEndpoint, _ place: ListLinks.Place, _ suffix: PageFormat?) {
        self.endpoint = endpoint
        self.place = place
        self.suffix = suffix
    }

    /// The formats it is offered in, the preferred one first.
    var formats: [PageFormat] {
        switch place {
        case .list, .section: [.json, .html, .csv, .ndjson]
        case .row, .sections, .schema: [.json, .html]
        }
    }

    /// The parameters it takes.
    var accepted: ListParameters.Accepted {
        switch place {
        case .list: [.paging, .rows, .grouping, .sections]
        case .section: [.paging, .rows, .grouping]
        case .sections: [.paging, .grouping]
        case .row: [.columns]
        case .schema: []
        }
    }

    /// The question that the parameters ask of it.
    ///
    /// - Returns: nil when the parameters have errors.
    func query(_ parameters: inout ListParameters) -> ListQuery? {
        switch place {
        case .list, .row, .schema: parameters.query()
        case .sections: parameters.query(isIndex: true)
        case .section(let id): parameters.query(section: id)
        }
    }
}
