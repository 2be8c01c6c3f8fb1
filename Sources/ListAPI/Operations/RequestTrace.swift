import Bytes
import HTTP
import Listings

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
    var rendering: Int?
    /// Whether rows were to be counted but were not, because counting took too long.
    var isUncounted = false
    /// Whether facets were left out because they took too long.
    var lacksFacets = false

    /// The trace of a request whose response is the same page, sent again.
    var again: RequestTrace {
        var trace = self
        (trace.reading, trace.counting, trace.rendering) = (nil, nil, nil)
        trace.isUncounted = false
        return trace
    }

    /// Notes the result of reading a page.
    mutating func note(
        _ page: borrowing Page,
        after nanoseconds: Int,
        counting: ListQuery.Counting
    ) {
        rows = page.rowCount
        reading = nanoseconds
        isUncounted = counting != .off && page.total == nil
        lacksFacets = page.facets.contains { $0.values.isEmpty && !$0.isComplete }
    }

    /// Adds the times of reading, counting and rendering of a page (Server Timing).
    ///
    /// The field also names the parts that were left out because they took too long.
    func addTimes(to response: inout HTTPResponse) {
        guard let reading = reading, let rendering = rendering, response.status == .ok
        else { return }
        let counting = counting
        response.addField(.serverTiming) { buffer in
            buffer.append("db;dur=" as StaticString)
            buffer.append(millisecondsOf: reading - (counting ?? 0))
            if let counting {
                buffer.append(", count;dur=" as StaticString)
                buffer.append(millisecondsOf: counting)
                if isUncounted { buffer.append(";desc=\"left out\"" as StaticString) }
            }
            if lacksFacets { buffer.append(", facets;desc=\"left out\"" as StaticString) }
            buffer.append(", render;dur=" as StaticString)
            buffer.append(millisecondsOf: rendering)
        }
    }
}
