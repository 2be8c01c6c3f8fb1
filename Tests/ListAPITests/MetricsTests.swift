import Foundation
import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("What is measured, and told to operators")
struct MetricsTests {
    /// A server of the sample users as the program runs it, but for its port.
    private func server(
        _ operations: OperationsEndpoint = .besideLists,
        _ options: ServiceOptions = ServiceOptions()
    ) throws -> TestServer {
        let state = HTTPServerState()
        var options = options
        options.operations = operations
        options.serverTotals = { state.totals }
        let lists = [try ListDefinition.sampleUsers()]
        return try TestServer(
            configure: { $0.state = state },
            makeHandler: { [options] _ in
                Middleware(
                    try APIHandler(lists, options: options, isDraining: { state.isDraining })
                )
            }
        )
    }

    private func samples(_ text: String) -> [String: Double] {
        var samples: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let blank = line.lastIndex(of: " ") else { continue }
            samples[String(line[..<blank])] = Double(line[line.index(after: blank)...])
        }
        return samples
    }

    @Test("a request with content that is refused counts one problem")
    func refusedContent() throws {
        let client = try Client(of: server())
        let answer = try client.ask(.post, "/users/-/import", body: "id\n1\n")
        #expect(answer.status == 405)
        let found = samples(try client.get("/-/metrics").body)
        #expect(found["roster_problems_total{type=\"method-not-allowed\"}"] == 1)
    }

    @Test("the process is measured by the names that every client library of Prometheus uses")
    func process() throws {
        let text = try Client(of: server()).get("/-/metrics").body
        let found = samples(text)
        for name in [
            "cpu_seconds_total", "resident_memory_bytes", "virtual_memory_bytes", "open_fds",
            "max_fds", "start_time_seconds", "threads",
        ] {
            #expect(try #require(found["process_\(name)"], "\(name)") > 0, "\(name)")
            let type = name.hasSuffix("_total") ? "counter" : "gauge"
            #expect(text.contains("\n# TYPE process_\(name) \(type)\n"), "\(name)")
        }
        #expect(found["roster_dropped_log_lines_total"] == 0)
    }

    @Test("answers are counted by list, format and status, and times add up to them")
    func requests() throws {
        let client = try Client(of: server())
        let tag = try #require(try client.get("/users.json").field("ETag"))
        _ = try client.get("/users.html")
        let known = try client.ask(.get, "/users.json", fields: [(.ifNoneMatch, tag)])
        #expect(known.status == 304)
        _ = try client.get("/users.json?after=nonsense")
        _ = try client.get("/users.csv?limit=3")
        _ = try client.get("/nothing/here/at/all")
        let answer = try client.get("/-/metrics")
        #expect(answer.field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.field("Cache-Control") == "no-store")
        let found = samples(answer.body)
        func requests(_ format: String, _ status: Int, list: String = "users") -> Double? {
            found[
                "roster_requests_total{list=\"\(list)\",format=\"\(format)\",status=\"\(status)\"}"
            ]
        }
        #expect(requests("json", 200) == 1)
        #expect(requests("html", 200) == 1)
        #expect(requests("json", 304) == 1)
        #expect(requests("json", 400) == 1)
        #expect(requests("csv", 200) == 1)
        #expect(requests("other", 404, list: "") == 1)
        let count = "roster_request_seconds_count{list=\"users\"}"
        #expect(found[count] == 5)
        #expect(found["roster_request_seconds_bucket{list=\"users\",le=\"+Inf\"}"] == 5)
        #expect(found["roster_problems_total{type=\"invalid-cursor\"}"] == 1)
        #expect(found["roster_problems_total{type=\"not-found\"}"] == 1)
        #expect(found["roster_open_connections"] == 1)
        #expect((found["roster_sent_bytes_total"] ?? 0) > 1000)
        #expect((found["roster_received_bytes_total"] ?? 0) > 100)
        #expect(found["roster_draining"] == 0)
    }

    @Test("whatever is asked for, there are no more counts than lists, formats and statuses")
    func boundedLabels() throws {
        let client = try Client(of: server())
        _ = try client.get("/users")
        let before = samples(try client.get("/-/metrics").body).count
        for number in 0..<20 { _ = try client.get("/list\(number)?x=\(number)") }
        let after = samples(try client.get("/-/metrics").body).count
        #expect(after <= before + 2)
    }

    @Test("the checker of Prometheus has nothing to say about it")
    func checker() throws {
        let checker = "/usr/bin/promtool"
        guard FileManager.default.isExecutableFile(atPath: checker) else { return }
        let client = try Client(of: server())
        _ = try client.get("/users")
        let text = try client.get("/-/metrics").body
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = URL(filePath: checker)
        process.arguments = ["check", "metrics"]
        process.standardInput = input
        process.standardError = output
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(String(decoding: said, as: UTF8.self) == "")
    }

    @Test("a page says how long reading and drawing took, which makes it no other page")
    func serverTiming() throws {
        let client = try Client(of: server())
        let page = try client.get("/users.json")
        let timing = try #require(page.field("Server-Timing"))
        #expect(
            timing.wholeMatch(of: /db;dur=[0-9]+\.[0-9]{3}, render;dur=[0-9]+\.[0-9]{3}/) != nil
        )
        let tag = try #require(page.field("ETag"))
        let known = try client.ask(.get, "/users.json", fields: [(.ifNoneMatch, tag)])
        #expect(known.status == 304)
        #expect(known.field("Server-Timing") == nil)
        #expect(known.field("ETag") == tag)
    }

    @Test("operators have a port of their own, or metrics beside the lists and no more")
    func locations() throws {
        let beside = try Client(of: server())
        #expect(try beside.get("/-/metrics").status == 200)
        #expect(try beside.get("/-/lists").status == 404)
        let elsewhere = try Client(of: server(.elsewhere))
        #expect(try elsewhere.get("/-/metrics").status == 404)
        #expect(try elsewhere.get("/-/lists").status == 404)
        #expect(try elsewhere.get("/users").status == 200)
        #expect(try elsewhere.get("/-/openapi.json").json()["paths", "/-/metrics"] == nil)
        var options = ServiceOptions()
        options.rowControllers = ["User → its own cells"]
        let alone = try Client(of: server(.alone, options))
        #expect(try alone.get("/users").status == 404)
        #expect(try alone.get("/").status == 404)
        #expect(try alone.get("/-/ready").body.hasPrefix("ready\n"))
        #expect(try alone.get("/-/metrics").status == 200)
        let lists = try alone.get("/-/lists").json()
        #expect(lists["lists"]?.elements.first?["id"]?.text == "users")
        #expect(lists["lists"]?.elements.first?["version"]?.text != nil)
        #expect(lists["rows"]?.elements.first?.text == "User → its own cells")
    }
}
