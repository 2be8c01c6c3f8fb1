import Bytes
import Database
import HTTP
import Listings
import Locks
import Rendering
import System

enum OperationsHandler {
    static func showMetrics(in call: inout Call) {
        call.response.addUncached(MetricsDocument.contentType)
        MetricsDocument(
            call.service.options.metrics.loops,
            call.service.options.serverTotals(),
            .current(),
            droppedLogLines: StandardError.lostLines,
            writeAheadLogBytes: logBytes(of: call.service),
            isDraining: call.service.isDraining()
        ).write(into: &call.response.body)
    }

    private static func logBytes(of service: Service) -> Int {
        let sources = service.lists.values.compactMap { $0.definition.source as? TableSource }
        let sizes = Dictionary(sources.map { ($0.database, $0.logBytes) }) { first, _ in first }
        return sizes.values.reduce(0) { $0 + ($1?() ?? 0) }
    }

    static func showLists(in call: inout Call) {
        let endpoints = call.service.names.compactMap { call.lists[$0] }
        let versions = endpoints.map { try? $0.reader.version() }
        call.response.addUncached(PageFormat.json.contentType)
        call.respond([
            "version": .text(RosterVersion.current),
            "lists": .array(zip(endpoints, versions).map(Self.part)),
            "rows": JSONPart(texts: call.service.options.rowControllers),
        ])
    }

    private static func part(_ endpoint: ServedList, _ version: ListVersion?) -> JSONPart {
        [
            "id": .text(endpoint.definition.name),
            "title": .text(endpoint.definition.title),
            "version": version.map { .text("\($0)") } ?? .null,
            "stale": .boolean(endpoint.reader.isStale),
            "followed": .boolean(endpoint.reader.canBeFollowed),
            "writable": .boolean(endpoint.writer != nil),
            "source": .text("\(type(of: endpoint.definition.source))"),
            "columns": JSONPart(
                texts: endpoint.schema.columns.map { "\($0.id): \($0.type.rawValue)" }
            ),
        ]
    }

    // MARK: - Probes

    /// The time limit of the check; lists that were not checked in time are unavailable.
    private static let longestReadinessCheck = Duration.seconds(2)

    /// Only operators see the names of lists; without access control all clients do.
    static func showReadiness(in call: inout Call) {
        var word = "ready"
        var lists: [(name: String, readiness: ListReadiness)] = []
        if call.service.isDraining() {
            word = "draining"
        } else {
            lists = check(call.lists)
            let needed = lists.filter { !call.service.options.optionalLists.contains($0.name) }
            for state in [ListReadiness.indexing, .unavailable]
            where needed.contains(where: { $0.readiness == state }) {
                word = state.rawValue
            }
        }
        if word != "ready" { call.response.status = .serviceUnavailable }
        call.response.addFields(DocumentFields.text)
        call.response.body.append("\(word)\n")
        guard call.service.options.access == nil || call.caller?.mayOperate == true else { return }
        for (name, readiness) in lists {
            call.response.body.append("\(name): \(readiness.rawValue)\n")
        }
        for failure in call.service.options.lists?.current.failures ?? [] {
            call.response.body.append("\(failure.name): unreadable: \(failure.reason)\n")
        }
    }

    private static func check(_ open: OpenLists) -> [(name: String, readiness: ListReadiness)] {
        let deadline = ContinuousClock.now + Self.longestReadinessCheck
        return open.service.names.map { name in
            let isLate = ContinuousClock.now >= deadline
            return (name, isLate ? .unavailable : readiness(of: name, in: open))
        }
    }

    private static func readiness(of name: String, in open: OpenLists) -> ListReadiness {
        do throws(SourceError) {
            guard let endpoint = try open.open(name) else { return .unavailable }
            _ = try endpoint.reader.version()
            let source = endpoint.definition.source as? TableSource
            if let seconds = source?.secondsToIndexes?(), seconds > 0 { return .indexing }
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
