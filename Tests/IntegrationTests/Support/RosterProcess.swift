import Foundation
import Locks
import TestSupport
import Testing

/// A running `roster`, built beside these tests.
///
/// What it says is read as it comes. Should it live longer than any test needs, it is killed, so
/// that no wait here needs a bound of its own.
final class RosterProcess {
    enum Ending: Hashable {
        case exit(Int32)
        case signal(Int32)
    }

    static let program = program(named: "roster")

    static func program(named name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: name)
    }

    private let process = Process()
    private let output = Pipe()
    private let diagnostics = Pipe()
    private var unreadText = ""
    private(set) var lines: [String] = []

    /// What those who test have set for every program: where one says at its end which lines it
    /// ran, what sanitizers are to do, and whether one that ends by a trap is looked into.
    private static let inherited = ProcessInfo.processInfo.environment.filter {
        [
            profileVariable, "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE",
        ].contains($0.key)
    }
    private static let profileVariable = "LLVM_PROFILE_FILE"

    static let anyPort = ["ROSTER_PORT": "0"]

    init(
        _ arguments: [String],
        environment: [String: String] = anyPort,
        lifetime: TimeInterval = 300,
        program: URL = program,
        input: FileHandle? = nil,
        folder: URL? = nil
    ) throws {
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment.merging(Self.inherited) { given, _ in given }
        process.standardOutput = output
        process.standardError = diagnostics
        if let input { process.standardInput = input }
        if let folder { process.currentDirectoryURL = folder }
        try process.run()
        let identifier = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + lifetime) { [weak process] in
            if process?.isRunning == true { kill(identifier, SIGKILL) }
        }
    }

    deinit {
        guard process.isRunning else { return }
        // One that is killed does not say what it ran.
        let isMeasured = Self.inherited[Self.profileVariable] != nil
        send(isMeasured ? SIGTERM : SIGKILL)
        if isMeasured { process.waitUntilExit() }
    }

    /// Starts a server on a free port and waits until it serves.
    convenience init(serving arguments: [String], environment: [String: String] = [:]) throws {
        // A test that ends its server need not wait for balancers.
        let prompt = ["ROSTER_DRAIN_DELAY": "0"].merging(environment) { $1 }
        try self.init(["--port", "0"] + arguments, environment: prompt)
        let line = try waitForLine { $0.contains(" at http://") }
        try #require(line != nil, "\(arguments) ended: \(lines)")
    }

    /// How setpriv(1) starts a program as a user who may do nothing.
    static let asNobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]

    /// Starts a server as a user who may do nothing, and waits until it serves.
    convenience init(servingAsNobody arguments: [String]) throws {
        try self.init(
            Self.asNobody + [Self.program.path, "--port", "0"] + arguments,
            program: URL(filePath: "/usr/bin/setpriv")
        )
        let line = try waitForLine { $0.contains(" at http://") }
        try #require(line != nil, "\(arguments) ended: \(lines)")
    }

    var port: UInt16 {
        get throws {
            let line = try #require(lines.first { $0.contains(" at http://") })
            let digits = try #require(line.firstMatch(of: /:([0-9]+)\//)).1
            return try #require(UInt16(digits))
        }
    }

    var identifier: Int32 { process.processIdentifier }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Reads on until a line on standard error satisfies a condition.
    @discardableResult
    func waitForLine(where condition: (String) -> Bool) throws -> String? {
        while true {
            while let end = unreadText.firstIndex(of: "\n") {
                let line = String(unreadText[..<end])
                unreadText = String(unreadText[unreadText.index(after: end)...])
                lines.append(line)
                if condition(line) { return line }
            }
            let data = diagnostics.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            unreadText += String(decoding: data, as: UTF8.self)
        }
    }

    /// Waits until the program has ended, and reads all it says.
    func waitForEnding() throws -> (ending: Ending, output: String, lines: [String]) {
        // Both are read at once, as a program waits for whoever does not read what it says.
        let written = Locked(Data())
        let end = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { [output] in
            let data = output.fileHandleForReading.readDataToEndOfFile()
            written.withLock { $0 = data }
            end.signal()
        }
        try waitForLine { _ in false }
        end.wait()
        let text = String(decoding: written.withLock { $0 }, as: UTF8.self)
        process.waitUntilExit()
        let status = process.terminationStatus
        let ending: Ending =
            process.terminationReason == .exit ? .exit(status) : .signal(status)
        return (ending, text, lines)
    }

    /// Waits until the program has ended, and reads nothing that it has written.
    func waitForEndingUnread() -> Ending {
        process.waitUntilExit()
        let status = process.terminationStatus
        return process.terminationReason == .exit ? .exit(status) : .signal(status)
    }

    /// Closes the reader of standard error, so that writing fails with EPIPE.
    func closeDiagnostics() throws { try diagnostics.fileHandleForReading.close() }

    /// Ends the program in order.
    func stop() throws {
        send(SIGTERM)
        #expect(try waitForEnding().ending == .exit(0))
    }

    static func run(
        _ arguments: [String],
        environment: [String: String] = anyPort
    ) throws -> (ending: Ending, output: String, lines: [String]) {
        try RosterProcess(arguments, environment: environment).waitForEnding()
    }

    func connect() throws -> RawConnection { try RawConnection(port: port, timeout: .seconds(60)) }

    func get(_ target: String, fields: String = "") throws -> RawResponse {
        let client = try connect()
        try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        return try client.receiveResponse()
    }

    func page(_ target: String) throws -> ListPage {
        let response = try get(target)
        try #require(response.status == 200, "\(target): \(response.text)")
        return try JSONDecoder().decode(ListPage.self, from: Data(response.body))
    }

    func pages(from target: String) throws -> [ListPage] {
        var pages: [ListPage] = []
        var next: String? = target
        while let address = next {
            let page = try page(address)
            pages.append(page)
            next = page.links.next
        }
        return pages
    }
}
