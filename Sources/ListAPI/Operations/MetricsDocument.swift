import Bytes
import HTTPServer
import Locks
import Rendering
import System

/// The text exposition format of Prometheus (version 0.0.4); its labels have few values.
struct MetricsDocument: ~Copyable {
    static let contentType: StaticString = "text/plain; version=0.0.4; charset=utf-8"

    private var buffer = ByteBuffer(minimumCapacity: 16 * 1024)

    /// The counters of all loops are of the same lists.
    init(
        _ loops: [ServiceMetrics],
        _ server: HTTPServerTotals,
        _ process: ProcessStatistics,
        droppedLogLines: Int,
        writeAheadLogBytes: Int,
        isDraining: Bool
    ) {
        addRequests(loops)
        addTimes(loops)
        begin("uncounted_pages_total", "counter", "Pages whose rows took too long to count.")
        for index in loops.first?.lists.indices ?? 0..<0 {
            let pages = loops.reduce(0) { $0 + $1.lists[index].uncounted.value }
            let name = loops[0].lists[index].name
            if !name.isEmpty { add("uncounted_pages_total", [("list", name)], pages) }
        }
        begin("problems_total", "counter", "Problems by their type, as /-/problems explains it.")
        for kind in ProblemKind.all {
            let count = loops.reduce(0) { $0 + $1.count(of: kind) }
            add("problems_total", [("type", kind.name)], count)
        }
        let begun = loops.reduce(0) { $0 + $1.streamsBegun.value }
        let ended = loops.reduce(0) { $0 + $1.streamsEnded.value }
        one("open_streams", "gauge", "Event streams that are open.", begun - ended)
        let batches = loops.reduce(0) { $0 + $1.batches.value }
        one("change_batches_total", "counter", "Batches of changes sent as events.", batches)
        let resets = loops.reduce(0) { $0 + $1.resets.value }
        one("change_resets_total", "counter", "Events that make clients reload.", resets)
        let open = server.openConnections
        one("open_connections", "gauge", "Connections that are open.", open)
        one("connections_total", "counter", "Connections that were taken.", server.connections)
        one("received_bytes_total", "counter", "Bytes of requests.", server.receivedBytes)
        one("sent_bytes_total", "counter", "Bytes of responses.", server.sentBytes)
        let help = "Lines of the log that were dropped: not read in time, or not writable."
        one("dropped_log_lines_total", "counter", help, droppedLogLines)
        let log = "Bytes of the write-ahead logs of SQLite databases."
        one("write_ahead_log_bytes", "gauge", log, writeAheadLogBytes)
        one("draining", "gauge", "1 while the server is about to stop.", isDraining ? 1 : 0)
        begin("build_info", "gauge", "The version of the program.")
        add("build_info", [("version", RosterVersion.current)], 1)
        addProcess(process)
    }

    func write(into other: inout ByteBuffer) { other.append(buffer.array()) }

    private mutating func addRequests(_ loops: [ServiceMetrics]) {
        let name = "requests_total"
        begin(name, "counter", "Responses by list, format and status; status 0 is any other one.")
        for index in loops.first?.lists.indices ?? 0..<0 {
            for format in ListMetrics.Format.all {
                for (position, status) in ListMetrics.statuses.enumerated() {
                    let count = loops.reduce(0) {
                        $0 + $1.lists[index].count(of: format, status: position)
                    }
                    // Most combinations never occur.
                    guard count > 0 else { continue }
                    let list = loops[0].lists[index].name
                    add(
                        name,
                        [("list", list), ("format", format.name), ("status", "\(status)")],
                        count
                    )
                }
            }
        }
    }

    private mutating func addTimes(_ loops: [ServiceMetrics]) {
        let name = "request_seconds"
        begin(name, "histogram", "The time from a complete request to its response.")
        for index in loops.first?.lists.indices ?? 0..<0 {
            let list = ("list", loops[0].lists[index].name)
            var total = 0
            for bound in 0...ListMetrics.bounds.count {
                total += loops.reduce(0) { $0 + $1.lists[index].count(withinBound: bound) }
                let isLast = bound == ListMetrics.bounds.count
                let limit = isLast ? "+Inf" : Self.seconds(ListMetrics.bounds[bound])
                add("\(name)_bucket", [list, ("le", limit)], total)
            }
            let time = loops.reduce(0) { $0 + $1.lists[index].nanoseconds.value }
            write("\(name)_sum", [list])
            buffer.append("\(Self.seconds(time))\n")
            add("\(name)_count", [list], total)
        }
    }

    private mutating func addProcess(_ process: ProcessStatistics) {
        one(
            ofProcess: "cpu_seconds_total",
            "counter",
            "Total user and system CPU time spent in seconds.",
            process.processorNanoseconds.map(Self.seconds)
        )
        let gauges: [(String, String, Int?)] = [
            ("open_fds", "Number of open file descriptors.", process.openDescriptors),
            ("max_fds", "Maximum number of open file descriptors.", process.maximumDescriptors),
            ("virtual_memory_bytes", "Virtual memory size in bytes.", process.virtualBytes),
            ("resident_memory_bytes", "Resident memory size in bytes.", process.residentBytes),
            ("threads", "Number of OS threads in the process.", process.threads),
        ]
        for (name, help, value) in gauges {
            one(ofProcess: name, "gauge", help, value.map { "\($0)" })
        }
        one(
            ofProcess: "start_time_seconds",
            "gauge",
            "Start time of the process since unix epoch in seconds.",
            process.startNanoseconds.map(Self.seconds)
        )
    }

    private mutating func one(
        ofProcess name: String,
        _ type: String,
        _ help: String,
        _ value: String?
    ) {
        guard let value else { return }
        buffer.append("# HELP process_\(name) \(help)\n# TYPE process_\(name) \(type)\n")
        buffer.append("process_\(name) \(value)\n")
    }

    private mutating func one(_ name: String, _ type: String, _ help: String, _ value: Int) {
        begin(name, type, help)
        add(name, [], value)
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        buffer.append("# HELP roster_\(name) \(help)\n# TYPE roster_\(name) \(type)\n")
    }

    private mutating func add(_ name: String, _ labels: [(String, String)], _ value: Int) {
        write(name, labels)
        buffer.append("\(value)\n")
    }

    private mutating func write(_ name: String, _ labels: [(String, String)]) {
        buffer.append("roster_\(name)")
        if !labels.isEmpty {
            let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }
            buffer.append("{\(pairs.joined(separator: ","))}")
        }
        buffer.append(UInt8(ascii: " "))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }

    private static func seconds(_ nanoseconds: Int) -> String {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard rest > 0 else { return "\(whole)" }
        let digits = "\(rest + 1_000_000_000)".dropFirst()
        let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
        return "\(whole).\(digits[...end])"
    }
}
