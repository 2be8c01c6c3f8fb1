import Bytes
import HTTP
import Listings
import Locks
import Rendering
import System

/// The state of the current request that metrics and the access log need.
///
/// No member is reference-counted, because the trace is written and copied for every request.
struct RequestTrace {
    /// The requested route; nil where no route matches the address.
    var route: Route?
    /// The position of the list in ``ServiceMetrics/lists``; nil where no list was requested.
    var list: Int?
    /// The format of the response.
    var format = ListMetrics.Format.other
    /// The number of rows of the page; nil for all other responses.
    var rows: Int?
    /// The nanoseconds that reading the page took; nil where nothing was read.
    var reading: Int?
    /// The nanoseconds of the reading that counting took; nil where counting was no separate work.
    var counting: Int?
    /// The nanoseconds that rendering took.
    var drawing: Int?
    /// Whether rows were to be counted but were not, because counting took too long.
    var isUncounted = false
    /// Whether facets were left out because they took too long.
    var lacksFacets = false

    /// The trace of a request whose response is the same page, sent again.
    var again: RequestTrace {
        var trace = self
        (trace.reading, trace.counting, trace.drawing) = (nil, nil, nil)
        trace.isUncounted = false
        return trace
    }
}

extension Service {
    /// Whether this service responds at a route.
    func isOffered(_ route: Route) -> Bool {
        switch (options.operations, route) {
        case (.alone, .live), (.alone, .ready), (.alone, .version), (.alone, .problem): true
        case (.alone, _), (.besideLists, .metrics): route == .metrics || route == .lists
        // Only operators may see the lists and their setup.
        case (.besideLists, .lists): options.access != nil
        case (.elsewhere, .metrics), (.elsewhere, .lists): false
        case (.besideLists, _), (.elsewhere, _): true
        }
    }

    /// Responds with the metrics.
    func showMetrics(with response: inout HTTPResponse) {
        response.addField(.contentType, MetricsDocument.contentType)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        MetricsDocument(
            options.board.loops,
            options.serverTotals(),
            .current(),
            droppedLogLines: StandardError.lostLines,
            isDraining: isDraining()
        ).write(into: &response.body)
    }

    /// Responds with the setup of the lists and the row controllers.
    func showLists(with response: inout HTTPResponse) {
        response.addField(.contentType, PageFormat.json.contentType)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        JSONWriter.write(to: &response.body) { writer in
            writer.object { document in
                document.member("version", RosterVersion.current)
                document.array("lists") { lists in
                    for name in names {
                        if let endpoint = endpoints[name] {
                            lists.object { Self.describe(endpoint, to: &$0) }
                        }
                    }
                }
                document.array("rows") { rows in
                    for line in options.rowControllers { rows.string(line) }
                }
            }
        }
        response.body.append(UInt8(ascii: "\n"))
    }

    private static func describe(_ endpoint: ServedList, to object: inout JSONWriter) {
        let schema = endpoint.schema
        object.member("id", endpoint.definition.name)
        object.member("title", endpoint.definition.title)
        // A list that cannot be read now has a null version.
        let version = try? endpoint.reader.version()
        object.member("version", version.map { "\($0)" })
        object.member("stale", endpoint.reader.isStale)
        object.member("followed", endpoint.reader.canBeFollowed)
        object.member("writable", endpoint.writer != nil)
        object.member("source", "\(type(of: endpoint.definition.source))")
        object.array("columns") { columns in
            for column in schema.columns { columns.string("\(column.id): \(column.type.rawValue)") }
        }
    }

    // MARK: - Counting

    /// Notes the result of reading a page.
    func note(
        _ page: borrowing Page,
        after nanoseconds: Int,
        counting: ListQuery.Counting
    ) {
        trace.rows = page.rowCount
        trace.reading = nanoseconds
        trace.isUncounted = counting != .off && page.total == nil
        trace.lacksFacets = page.facets.contains { $0.values.isEmpty && !$0.isComplete }
    }

    /// Adds the times of reading, counting and rendering of a page (Server Timing).
    ///
    /// The field also names the parts that were left out because they took too long.
    func addTimes(to response: inout HTTPResponse) {
        guard let reading = trace.reading, let drawing = trace.drawing, response.status == .ok
        else { return }
        let counting = trace.counting
        response.addField(.serverTiming) { buffer in
            buffer.append("db;dur=" as StaticString)
            buffer.append(millisecondsOf: reading - (counting ?? 0))
            if let counting {
                buffer.append(", count;dur=" as StaticString)
                buffer.append(millisecondsOf: counting)
                if trace.isUncounted { buffer.append(";desc=\"left out\"" as StaticString) }
            }
            if trace.lacksFacets { buffer.append(", facets;desc=\"left out\"" as StaticString) }
            buffer.append(", render;dur=" as StaticString)
            buffer.append(millisecondsOf: drawing)
        }
    }

    /// Counts a response.
    func count(_ status: HTTPStatus, nanoseconds time: Int) {
        let counts = trace.list.map { measures.lists[$0] } ?? measures.others
        counts.add(status, trace.format, nanoseconds: time)
        if trace.isUncounted { counts.uncounted.add() }
    }

    /// Counts the response to a message that is no valid request.
    func countRefusal(_ status: HTTPStatus) {
        measures.others.add(status, .json, nanoseconds: 0)
    }

    /// Returns the note of a response for the access log.
    ///
    /// - Parameters:
    ///   - client: The address of the client that a trusted proxy names.
    ///   - traceID: The trace that the request belongs to.
    /// - Returns: The note.
    func answerNote(client: String?, traceID: String?) -> AccessLogMetadata {
        let entry = Route.table.first { $0.route == trace.route }
        return AccessLogMetadata(
            pattern: entry?.pattern ?? "",
            list: trace.list.map { measures.lists[$0].name },
            caller: caller?.name,
            rows: trace.rows,
            reading: trace.reading.map { .nanoseconds($0) },
            client: client,
            traceID: traceID
        )
    }
}
