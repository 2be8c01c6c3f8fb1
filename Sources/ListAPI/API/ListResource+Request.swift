import HTTP
import Listings
import Rendering

extension ListResource {
    /// Finds the resource of a path.
    ///
    /// - Throws: ``Refusal`` for an unknown resource; ``SourceError/offloaded``.
    init(
        at route: Route,
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext
    ) throws {
        if route == .list {
            self = try Self.list(captures[0], request, in: &context)
            return
        }
        let name = FormatSuffix(captures[captures.count - 1])
        let endpoint = try context.requireEndpoint(captures[0], request, suffix: name.format)
        let place: URLBuilder.Place? =
            switch (route, name.name) {
            case (.view, "sections"): .sections
            case (.view, "schema"): .schema
            case (.view, "changes"): .changes
            case (.section, let id): .section(SectionID(id))
            case (.row, let id): .row(id)
            case (.rowAction, ActionResource.children) where endpoint.reader.hasOutline:
                .children(FormatSuffix.name(ofInner: captures[1]))
            default: nil
            }
        guard let place else {
            let problem = context.nothingHere(in: endpoint.definition)
            throw Refusal(problem: problem, suffix: name.format)
        }
        self.init(endpoint, place, name.format, in: context)
    }

    /// Creates the resource of a part of a list.
    init(
        _ endpoint: ServedList,
        _ place: URLBuilder.Place = .list,
        _ suffix: PageFormat? = nil,
        in context: borrowing RequestContext
    ) {
        let list = context.state.endpoints[endpoint.definition.name]
        self.init(endpoint, place, suffix, segments: list?.definition.segments?.all ?? [])
    }

    private static func list(
        _ segment: String,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext
    ) throws -> ListResource {
        // The suffix wins: a list called `x.json` next to a list `x` is at `/x.json.json`.
        let name = FormatSuffix(segment)
        if let endpoint = try context.endpoint(name.name, request, suffix: name.format) {
            return ListResource(endpoint, .list, name.format, in: context)
        }
        if let endpoint = try context.endpoint(segment, request, suffix: nil) {
            return ListResource(endpoint, .list, nil, in: context)
        }
        throw Refusal(problem: context.noList(name.name), suffix: name.format)
    }
}
