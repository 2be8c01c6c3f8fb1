import HTTP
import Listings
import Rendering

/// Responds with the methods that an address accepts.
struct OptionsHandler {
    let state: ServiceState

    /// Responds with the methods of an address; those of an action depend on its row.
    func respond(
        to request: borrowing HTTPRequest,
        _ allowed: [HTTPMethod],
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        var methods = try RefreshHandler(state: state).methods(at: request, in: &context)
        if methods == nil {
            methods = try ActionHandler(state: state).methods(at: request, in: &context)
        }
        let possible = methods ?? possible(allowed, at: request.path, in: context)
        guard !possible.isEmpty else {
            let isOfList = request.path.count == 3
            let list = isOfList ? context.visibleEndpoint(request.path.segment(0)) : nil
            let problem =
                list.map { context.nothingHere(in: $0.definition) } ?? context.notFound(request)
            return context.refuse(problem, request, suffix: nil, with: &response)
        }
        response.addField(.allow, HTTPMethod.list(possible))
        guard request.method != .options else {
            response.status = .noContent
            return
        }
        context.refuse(
            context.methodNotAllowed(request.method),
            request,
            suffix: nil,
            with: &response
        )
    }

    /// Returns the possible methods of an address: a read-only list has none that write rows.
    private func possible(
        _ methods: [HTTPMethod],
        at path: RequestPath,
        in context: borrowing RequestContext
    ) -> [HTTPMethod] {
        guard let first = path.segments.first else { return methods }
        let name = path.count == 1 ? FormatSuffix(first).name : first
        guard (context.visibleEndpoint(name) ?? context.visibleEndpoint(first))?.writer == nil
        else {
            return methods
        }
        let reading = methods.filter { $0.isReading || $0 == .options }
        return reading == [.options] ? [] : reading
    }
}

extension HTTPMethod {
    /// Whether a request only reads, and changes nothing.
    var isReading: Bool { self == .get || self == .head }

    /// Returns the value of an Allow field.
    static func list(_ methods: [HTTPMethod]) -> String {
        methods.map(\.name).joined(separator: ", ")
    }
}
