import Bytes
import HTTP
import Listings
import Locks
import Rendering
import Sockets

/// What is known of the request that is being answered, to be counted and logged.
///
/// No part of it counts references: it is written and copied for every request.
struct RequestTrace {
    /// What was asked for; nil where nothing has the address.
    var route: Route?
    /// The place in ``ServiceMeasures/lists`` of the list; nil where none was asked.
    var list: Int?
    /// The kind of the answer.
    var format = ListMeasures.Format.other
    /// The rows of the page; nil for everything else.
    var rows: Int?
    /// The nanoseconds that reading them took; nil where nothing was read.
    var reading: Int?
    /// Those of it that counting took; nil where it is no work of its own.
    var counting: Int?
    /// The nanoseconds that drawing them took.
    var drawing: Int?
    /// Whether rows were to be counted and were not, because it took too long.
    var isUncounted = false
    /// Whether facets are left out because they took too long.
    var lacksFacets = false

    /// What is known of a request that is answered by the same page, sent again.
    var again: RequestTrace {
        var trace = self
        (trace.reading, trace.counting, trace.drawing) = (nil, nil, nil)
        trace.isUncounted = false
        return trace
    }
}

extension Service {
    /// Whether this service is the one that answers at a route.
    func isOffered(_ route: Route) -> Bool {
        switch (options.operations, route) {
        case (.alone, .live), (.alone, .ready), (.alone, .version), (.alone, .problem): true
        case (.alone, _), (.besideLists, .metrics): route == .metrics || route == .lists
        // What is served and how is told to nobody but the operator.
        case (.besideLists, .lists): options.access != nil
        case (.elsewhere, .metrics), (.elsewhere, .lists): false
        case (.besideLists, _), (.elsewhere, _): true
        }
    }

    /// Shows what was counted.
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

    /// Shows the lists as they are set up, and what draws their rows.
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

    private static func describe(_ endpoint: ListEndpoint, to object: inout JSONWriter) {
        let schema = endpoint.schema
        object.member("id", endpoint.definition.name)
        object.member("title", endpoint.definition.title)
        // A list that cannot be read now says so itself.
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

    /// Notes what came of reading a page.
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

    /// Adds how long reading, counting and drawing took (Server Timing), where a page was drawn, and
    /// what is left out because it would take too long.
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

    /// Counts an answer.
    func count(_ status: HTTPStatus, nanoseconds time: Int) {
        let counts = trace.list.map { measures.lists[$0] } ?? measures.others
        counts.add(status, trace.format, nanoseconds: time)
        if trace.isUncounted { counts.uncounted.add() }
    }

    /// Counts the answer to what is no request.
    func countRefusal(_ status: HTTPStatus) {
        measures.others.add(status, .json, nanoseconds: 0)
    }

    /// What the log is told of the answer.
    ///
    /// - Parameters:
    ///   - client: The address of the client that a trusted proxy names.
    ///   - traceID: The trace that the request belongs to.
    /// - Returns: The note.
    func answerNote(client: String?, traceID: String?) -> HTTPAnswerNote {
        let entry = Route.table.first { $0.route == trace.route }
        return HTTPAnswerNote(
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
