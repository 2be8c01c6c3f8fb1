import Bytes
import Database
import HTTP
import Listings
import Locks
import Rendering
import System

/// Responds to probes of the process, and with metrics and the setup of the lists.
struct OperationsHandler {
    let service: Service

    /// Responds with the metrics.
    func showMetrics(with response: inout HTTPResponse) {
        response.addField(.contentType, MetricsDocument.contentType)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        MetricsDocument(
            service.options.board.loops,
            service.options.serverTotals(),
            .current(),
            droppedLogLines: StandardError.lostLines,
            writeAheadLogBytes: logBytes,
            isDraining: service.isDraining()
        ).write(into: &response.body)
    }

    /// The size of the write-ahead logs of all databases.
    private var logBytes: Int {
        let sources = service.lists.values.compactMap { $0.definition.source as? TableSource }
        let sizes = Dictionary(sources.map { ($0.database, $0.logBytes) }) { first, _ in first }
        return sizes.values.reduce(0) { $0 + ($1?() ?? 0) }
    }

    /// Responds with the setup of the lists and the row controllers.
    func showLists(of lists: OpenLists, with response: inout HTTPResponse) {
        let endpoints = service.names.compactMap { lists[$0] }
        let versions = endpoints.map { try? $0.reader.version() }
        response.addField(.contentType, PageFormat.json.contentType)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        JSONWriter.write(to: &response.body) { writer in
            writer.object { document in
                document.member("version", RosterVersion.current)
                document.array("lists") { lists in
                    for (endpoint, version) in zip(endpoints, versions) {
                        lists.object { Self.describe(endpoint, version, to: &$0) }
                    }
                }
                document.array("rows") { rows in
                    for line in service.options.rowControllers { rows.string(line) }
                }
            }
        }
        response.body.append(UInt8(ascii: "\n"))
    }

    private static func describe(
        _ endpoint: ServedList,
        _ version: ListVersion?,
        to object: inout JSONWriter
    ) {
        let schema = endpoint.schema
        object.member("id", endpoint.definition.name)
        object.member("title", endpoint.definition.title)
        object.member("version", version.map { "\($0)" })
        object.member("stale", endpoint.reader.isStale)
        object.member("followed", endpoint.reader.canBeFollowed)
        object.member("writable", endpoint.writer != nil)
        object.member("source", "\(type(of: endpoint.definition.source))")
        object.array("columns") { columns in
            for column in schema.columns { columns.string("\(column.id): \(column.type.rawValue)") }
        }
    }

    // MARK: - Probes

    /// The time limit of the check; lists that were not checked in time are unavailable.
    private static let longestReadinessCheck = Duration.seconds(2)

    /// Responds whether the server takes requests, and with the states of the lists.
    ///
    /// A required list that is unavailable makes the server unready. Only operators see the names
    /// of lists; without access control all clients do.
    func showReadiness(
        of open: OpenLists,
        to caller: Caller?,
        with response: inout HTTPResponse
    ) {
        var word = "ready"
        var lists: [(name: String, readiness: ListReadiness)] = []
        if service.isDraining() {
            word = "draining"
        } else {
            lists = check(open)
            let isDown = lists.contains { name, readiness in
                readiness == .unavailable && !service.options.optionalLists.contains(name)
            }
            if isDown { word = "unavailable" }
        }
        if word != "ready" { response.status = .serviceUnavailable }
        response.addFields(DocumentFields.text)
        response.body.append("\(word)\n")
        guard service.options.access == nil || caller?.mayOperate == true else { return }
        for (name, readiness) in lists {
            response.body.append("\(name): \(readiness.rawValue)\n")
        }
    }

    /// Checks every list.
    private func check(_ open: OpenLists) -> [(name: String, readiness: ListReadiness)] {
        let deadline = ContinuousClock.now + Self.longestReadinessCheck
        var lists: [(name: String, readiness: ListReadiness)] = []
        for name in service.names {
            let isLate = ContinuousClock.now >= deadline
            lists.append((name, isLate ? .unavailable : readiness(of: name, in: open)))
        }
        return lists
    }

    private func readiness(of name: String, in open: OpenLists) -> ListReadiness {
        do throws(SourceError) {
            guard let endpoint = try open.open(name) else { return .unavailable }
            _ = try endpoint.reader.version()
            return endpoint.reader.isStale ? .stale : .ready
        } catch .locked where open[name] != nil {
            return .locked
        } catch .redefined where open[name] != nil {
            // The next request for the list reopens it.
            return .ready
        } catch {
            return .unavailable
        }
    }

    /// Responds with a word.
    static func show(_ word: String, with response: inout HTTPResponse) {
        response.addFields(DocumentFields.text)
        response.body.append(word)
        response.body.append(UInt8(ascii: "\n"))
    }
}
