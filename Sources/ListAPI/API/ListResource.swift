import HTTP
import Listings
import Rendering

struct ListResource {
    let endpoint: ServedList
    let place: ListPlace
    let suffix: PageFormat?

    let mayWrite: Bool
    let isWritable: Bool
    let writesMany: Bool
    let isImportable: Bool
    let scope: RowScope
    let relatedLists: [RelatedList]
    private let embeds: Bool

    let segments: [Segments.Segment]
    let accepted: ParameterSet

    init(
        _ endpoint: ServedList,
        _ place: ListPlace,
        _ suffix: PageFormat?,
        relatedLists: [RelatedList] = [],
        embeds: Bool = false,
        segments: [Segments.Segment]
    ) {
        self.endpoint = endpoint
        self.relatedLists = relatedLists
        self.embeds = embeds
        mayWrite = endpoint.view.mayWrite
        isWritable = endpoint.writer != nil && mayWrite
        writesMany = endpoint.writesMany
        isImportable = endpoint.isImportable && segments.isEmpty
        scope = endpoint.view.scope
        self.segments = segments
        self.place = place
        self.suffix = suffix
        let traits = ListTraits(endpoint, segments, embeds: embeds)
        accepted = ParameterSet.accepted(at: place.kind).offered(by: traits)
    }

    /// The offered formats, the preferred one first.
    var formats: [PageFormat] {
        switch place {
        case .list, .section, .children: PageFormat.allCases
        case .row, .sections, .schema: PageFormat.allCases.filter { !$0.isTable }
        case .changes: [.json]
        case .cell: []
        }
    }

    var traits: ListTraits { ListTraits(endpoint, segments, embeds: embeds) }

    init(in call: inout Call) throws {
        if call.route == .list {
            self = try Self.list(call.captures[0], in: &call)
            return
        }
        let name = FormatSuffix(call.captures[call.captures.count - 1])
        let endpoint = try call.requireEndpoint(call.captures[0])
        let place: ListPlace? =
            switch (call.route, name.name) {
            case (.view, "sections"): .sections
            case (.view, "schema"): .schema
            case (.view, "changes"): .changes
            case (.section, let id): .section(SectionID(id))
            case (.row, let id): .row(id)
            case (.rowAction, ActionResource.children)
            where endpoint.reader.abilities.contains(.children):
                .children(FormatSuffix.name(ofInner: call.captures[1]))
            default: nil
            }
        guard let place else { throw call.nothingHere(in: endpoint.definition) }
        self.init(endpoint, place, name.format, in: call)
    }

    init(
        _ endpoint: ServedList,
        _ place: ListPlace = .list,
        _ suffix: PageFormat? = nil,
        in call: borrowing Call
    ) {
        let list = call.lists[endpoint.definition.name]
        self.init(
            endpoint,
            place,
            suffix,
            relatedLists: call.service.relations.lists(
                relatedTo: endpoint.definition.name,
                for: call.caller
            ),
            embeds: call.service.relations.relates(endpoint.definition.name),
            segments: list?.definition.segments?.all ?? []
        )
    }

    private static func list(_ segment: String, in call: inout Call) throws -> ListResource {
        // The suffix wins: a list called `x.json` next to a list `x` is at `/x.json.json`.
        let name = FormatSuffix(segment)
        if let endpoint = try call.endpoint(name.name) {
            return ListResource(endpoint, .list, name.format, in: call)
        }
        if let endpoint = try call.endpoint(segment) {
            return ListResource(endpoint, .list, nil, in: call)
        }
        throw call.noList(name.name)
    }
}

protocol ListCall {
    var endpoint: ServedList { get }
    var prepared: PreparedRequest { get }
}

extension ListCall {
    var list: ListDefinition { endpoint.definition }

    var listAddress: String {
        if case .row = prepared.target.place { return prepared.addresses.list(list.name) }
        return prepared.links.address(of: .current)
    }

    var isFromBrowser: Bool { prepared.representation.format == .html }
}
