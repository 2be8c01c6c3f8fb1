import Bytes
import Database
import HTTP
import Listings
import Locks
import Rendering
import System

/// Responds to probes of the process, and with metrics and the setup of the lists.
enum OperationsHandler {
    static func showMetrics(in call: inout Call) {
        call.response.addField(.contentType, MetricsDocument.contentType)
        call.response.addField(.cacheControl, "no-store" as StaticString)
        call.response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        MetricsDocument(
            call.service.options.board.loops,
            call.service.options.serverTotals(),
            .current(),
            droppedLogLines: StandardError.lostLines,
            writeAheadLogBytes: logBytes(of: call.service),
            isDraining: call.service.isDraining()
        ).write(into: &call.response.body)
    }

    /// The size of the write-ahead logs of all databases.
    private static func logBytes(of service: Service) -> Int {
        let sources = service.lists.values.compactMap { $0.definition.source as? TableSource }
        let sizes = Dictionary(sources.map { ($0.database, $0.logBytes) }) { first, _ in first }
        return sizes.values.reduce(0) { $0 + ($1?() ?? 0) }
    }

    static func showLists(in call: inout Call) {
        let endpoints = call.service.names.compactMap { call.lists[$0] }
        let versions = endpoints.map { try? $0.reader.version() }
        call.response.addField(.contentType, PageFormat.json.contentType)
        call.response.addField(.cacheControl, "no-store" as StaticString)
        call.response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        JSONWriter.write(to: &call.response.body) { writer in
            writer.object { document in
                document.member("version", RosterVersion.current)
                document.array("lists") { lists in
                    for (endpoint, version) in zip(endpoints, versions) {
                        lists.object { Self.describe(endpoint, version, to: &$0) }
                    }
                }
                document.array("rows") { rows in
                    for line in call.service.options.rowControllers { rows.string(line) }
                }
            }
        }
        call.response.body.append(UInt8(ascii: "\n"))
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
    static func showReadiness(in call: inout Call) {
        var word = "ready"
        var lists: [(name: String, readiness: ListReadiness)] = []
        if call.service.isDraining() {
            word = "draining"
        } else {
            lists = check(call.lists)
            let isDown = lists.contains { name, readiness in
                readiness == .unavailable && !call.service.options.optionalLists.contains(name)
            }
            if isDown { word = "unavailable" }
        }
        if word != "ready" { call.response.status = .serviceUnavailable }
        call.response.addFields(DocumentFields.text)
        call.response.body.append("\(word)\n")
        guard call.service.options.access == nil || call.caller?.mayOperate == true else { return }
        for (name, readiness) in lists {
            call.response.body.append("\(name): \(readiness.rawValue)\n")
        }
    }

    private static func check(_ open: OpenLists) -> [(name: String, readiness: ListReadiness)] {
        let deadline = ContinuousClock.now + Self.longestReadinessCheck
        var lists: [(name: String, readiness: ListReadiness)] = []
        for name in open.service.names {
            let isLate = ContinuousClock.now >= deadline
            lists.append((name, isLate ? .unavailable : readiness(of: name, in: open)))
        }
        return lists
    }

    private static func readiness(of name: String, in open: OpenLists) -> ListReadiness {
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

    static func show(_ word: String, with response: inout HTTPResponse) {
        response.addFields(DocumentFields.text)
        response.body.append(word)
        response.body.append(UInt8(ascii: "\n"))
    }
}
