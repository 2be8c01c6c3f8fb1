import Bytes
import Database
import HTTP
import Listings
import Rendering

/// The ``ResponseCache`` caches it for requests of the same key.
final class PreparedRequest {
    var trace = RequestTrace()
    var callerScope: UInt64 = 0
    let target: ListResource
    let request: ListRequest
    let query: ScopedQuery
    /// The query of HTML pages, which show more than the client requested.
    let renderedQuery: ScopedQuery
    let sent: [QueryItems.Item]
    let fingerprint: String
    let language: PageLanguage
    var notices = PageNotices()
    var embedded: [[EmbeddedRows]] = []
    /// The query of the rows by which facets are suggested; nil without suggestions.
    private(set) var sample: ScopedQuery?
    /// The suggested facets; nil where finding them took too long.
    var suggestions: [FacetSuggestion]? = []
    /// Whether the client's preference decides on counting, rather than the address.
    let followsPreference: Bool
    let links: ListLinks
    private(set) lazy var addressHash = makeAddressHash()
    /// The hash of the query, regardless of the format.
    private(set) lazy var queryHash = makeQueryHash()
    var knownTag: (versions: [ListVersion], isStale: Bool, tag: EntityTag)?
    private lazy var isInListOrder = makeIsInListOrder()
    private lazy var ownContext = makeContext()

    init(
        _ request: ListRequest,
        of target: ListResource,
        under addresses: Address,
        sent: [QueryItems.Item],
        fingerprint: String,
        language: PageLanguage,
        followsPreference: Bool = false
    ) {
        self.target = target
        self.request = request
        self.sent = sent
        self.fingerprint = fingerprint
        self.language = language
        self.followsPreference = followsPreference
        query = ScopedQuery(request.query, in: target.scope)
        let isPage = request.format == .html
        renderedQuery = isPage ? query.shown(of: target) : query
        let showsSuggestions =
            isPage && target.place == .list && query.parent == nil
            && target.accepted.contains(.facets)
        if query.suggestsFacets || showsSuggestions {
            sample = query.sample(of: target.endpoint, isWhole: !query.suggestsFacets)
        }
        links = ListLinks(
            request,
            under: addresses,
            linksCells: target.endpoint.reader.abilities.contains(.bytes)
        )
    }

    var representation: Representation { request.representation }
    /// The schema of the list, with the columns that the query derives.
    var schema: ListSchema { request.schema }
    var addresses: Address { links.addresses }

    func context() -> RenderContext {
        let context = ownContext
        // Only HTML pages show how to move rows.
        if representation.format == .html {
            context.canMove =
                isInListOrder && target.mayWrite
                && target.endpoint.reader.abilities.contains(.moves)
        }
        context.notices = notices
        context.embedded = embedded
        context.suggestions = suggestions?.filter { suggestion in
            !renderedQuery.facets.contains {
                schema.columns[$0].id == suggestion.facet
            }
        }
        return context
    }

    /// Caches the fragments of pages from now on, because the request has been repeated.
    func keepFragments() { ownContext.keepFragments() }

    private func makeContext() -> RenderContext {
        let context = RenderContext(
            title: target.endpoint.definition.title,
            links: links,
            groupings: target.endpoint.groupings,
            layout: request.layout,
            rowLayouts: target.endpoint.rowLayouts
        )
        context.layouts = PageLayout.allCases
        context.about = target.endpoint.definition.about
        context.imageHosts = target.endpoint.imageHosts
        context.rowsBefore = request.rowsBefore
        context.segments = segments
        context.suggestsWrites = target.mayWrite && target.endpoint.needsOptionToWrite
        if target.isWritable {
            context.isWritable = true
            context.operations = target.endpoint.writer?.rules.operations ?? []
            if target.writesMany, target.place == .list, query.parent == nil {
                context.bulkRules = target.endpoint.writer?.rules
            }
            if target.place == .list, context.operations.contains(.create) {
                context.newRowAddress = links.newRowAddress
            }
        }
        if target.isImportable, target.place == .list {
            let list = target.endpoint.definition.name
            context.previewAddress = addresses.imported(Address.preview, of: list)
        }
        context.parent = query.parent
        let endpoint = target.endpoint
        context.isRefreshable = endpoint.reader.refreshState != nil && target.mayWrite
        // Only HTML pages offer groupings.
        context.hasOwnSections =
            representation.format == .html && endpoint.reader.firstOwnSection != nil
        context.canCollapse = target.accepted.contains(.collapsed)
        context.collapsed = query.collapsed
        for lookup in query.lookups {
            guard let column = endpoint.schema.index(of: lookup.relation.column) else { continue }
            let addresses = addresses
            context.references[column] = { addresses.row($0, of: lookup.relation) }
            var control = FieldControl(endpoint.schema.columns[column])
            control.search = FieldControl.Search(lookup, addresses)
            context.controls[lookup.relation.column] = control
        }
        return context
    }

    private func makeIsInListOrder() -> Bool {
        target.place == .list && query.parent == nil && !query.isNarrowed
            && query.scope.isEveryRow
            && query.sort == target.endpoint.schema.defaultSort
            && query.grouping == target.endpoint.schema.defaultGrouping
    }

    private var segments: [RenderContext.Segment] {
        let endpoint = target.endpoint
        return target.segments.enumerated().map { position, segment in
            let id = position == 0 ? nil : segment.id
            let request = request.with { $0.query.segment = id }
            let address = ListLinks(request, under: addresses).address(of: .list)
            return .init(segment.title, address: address, isCurrent: id == endpoint.segment)
        }
    }

    /// Whether a row is requested as JSON with all its columns.
    var isWholeRow: Bool {
        representation.format == .json && query.columns == nil
    }

    /// Whether it is worth caching: pages of rows are requested again, single rows rarely.
    var isReusable: Bool {
        switch target.place {
        case .list, .section, .sections: query.expanded.isEmpty
        case .row, .children, .cell, .schema, .changes: false
        }
    }

    /// The caller must have the same scope, and the list the same definition.
    func holds(for scope: UInt64) -> Bool {
        scope == callerScope && !target.endpoint.isRetired
    }

    private func makeQueryHash() -> UInt32 {
        var address = ByteBuffer()
        links.write(.changes, to: &address)
        var mark = FNV1a()
        mark.add(address)
        for filter in query.scope.conditions { mark.add("\(filter)") }
        for lookup in query.lookups { mark.add("\(lookup)") }
        return mark.value
    }

    var isFollowed: Bool {
        switch target.place {
        case .list, .section:
            // The version of a page names its own rows only.
            query.embedding == nil && query.derived.isEmpty
                && !representation.format.isTable && request.shape == nil
                && target.endpoint.reader.canBeFollowed
        case .sections, .row, .children, .cell, .schema, .changes: false
        }
    }
}

extension ScopedQuery {
    fileprivate func shown(of target: ListResource) -> ScopedQuery {
        var query = self
        let schema = target.endpoint.schema
        query.displayOrder = schema.displayOrder
        guard target.place != .sections else { return query }
        query.wantsLetters = true
        if query.columns == nil { query.columns = schema.defaultColumns }
        if query.facets.isEmpty, let grouping = schema.defaultGrouping,
            schema.columns[grouping.column].isFacet, grouping.part == .value
        {
            query.facets = [grouping.column]
        }
        return query
    }
}

struct Representation: Hashable {
    let format: PageFormat
    let suffix: PageFormat?

    /// Nil when no format is acceptable; a suffix wins, and no Accept field accepts everything.
    init?(suffix: PageFormat?, accept: String?, among formats: [PageFormat]) {
        self.suffix = suffix
        if let suffix {
            guard formats.contains(suffix) else { return nil }
            format = suffix
            return
        }
        let types = formats.map(\.negotiated)
        guard let best = Negotiation.best(accept: accept, among: types),
            let index = types.firstIndex(of: best)
        else { return nil }
        format = formats[index]
    }

    /// Takes the format of a response that is sent even if it is not acceptable.
    init(forced format: PageFormat, suffix: PageFormat?) {
        self.format = format
        self.suffix = suffix
    }
}

/// The last choice, because parsing Accept fields is slow and most requests have the same one.
struct RepresentationChoice {
    private var known: (formats: [PageFormat], suffix: PageFormat?, accept: String?)?
    private var representation: Representation?

    mutating func choice(
        among formats: [PageFormat],
        _ suffix: PageFormat?,
        accept: String?
    ) -> Representation? {
        if let known, known.accept == accept, known.suffix == suffix, known.formats == formats {
            return representation
        }
        representation = Representation(suffix: suffix, accept: accept, among: formats)
        known = (formats, suffix, accept)
        return representation
    }
}

extension PageFormat {
    var negotiated: MediaType {
        let parts = mediaType.description.split(separator: "/")
        return MediaType(String(parts[0]), String(parts[1]))
    }
}

extension PageLanguage {
    init(for request: borrowing HTTPRequest) {
        self = .english
        guard let field = request.field(.acceptLanguage) else { return }
        let best = Negotiation.best(
            acceptLanguage: field,
            among: PageLanguage.allCases.map(\.rawValue)
        )
        self = PageLanguage(rawValue: best) ?? .english
    }
}
