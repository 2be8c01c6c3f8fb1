import Foundation
import TestSupport
import Testing

@Suite("A service manager is told the state of the program (sd_notify)")
struct StateNoticeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func socket(isAbstract: Bool) throws -> NotifyReceiver {
        let name = "@roster-\(UInt64.random(in: 0...UInt64.max))"
        return try NotifyReceiver(isAbstract ? name : folder.path("notify"))
    }

    @Test("ready, reloading, ready again and stopping, in this order", arguments: [false, true])
    func states(isAbstract: Bool) throws {
        let socket = try socket(isAbstract: isAbstract)
        let server = try RosterProcess(serving: [], environment: ["NOTIFY_SOCKET": socket.name])
        #expect(try socket.receive() == ["READY=1"])
        #expect(try server.get("/-/ready").status == 200)
        var before = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &before)
        server.send(SIGHUP)
        let reloading = try socket.receive()
        #expect(reloading.first == "RELOADING=1")
        let time = try #require(reloading.last?.split(separator: "=").last.flatMap { Int($0) })
        #expect(reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect(time >= before.tv_sec * 1_000_000 + before.tv_nsec / 1_000)
        #expect(try socket.receive() == ["READY=1"])
        server.send(SIGTERM)
        #expect(try socket.receive() == ["STOPPING=1"])
        #expect(try server.waitForEnding().ending == .exit(0))
        #expect(socket.isEmpty)
    }

    @Test("signs of life come in half the time that the manager allows")
    func watchdog() throws {
        let socket = try socket(isAbstract: false)
        let server = try RosterProcess(
            serving: ["--loops", "3"],
            environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "200000"]
        )
        #expect(try socket.receive() == ["READY=1"])
        let start = ContinuousClock.now
        for _ in 0..<4 { #expect(try socket.receive() == ["WATCHDOG=1"]) }
        // A test that reads late finds them closer together.
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        try server.stop()
    }

    @Test("signs of life that another process owes are not sent")
    func otherProcess() throws {
        let socket = try socket(isAbstract: false)
        let server = try RosterProcess(
            serving: ["--drain-delay", "1"],
            environment: [
                "NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1",
            ]
        )
        #expect(try socket.receive() == ["READY=1"])
        server.send(SIGTERM)
        #expect(try socket.receive() == ["STOPPING=1"])
        #expect(try server.waitForEnding().ending == .exit(0))
        #expect(socket.isEmpty)
    }

    private static let allowedSocket = "an absolute path or @ and a name, of at most 107 bytes"
    private static let allowedTime = "a number of microseconds, 10000 or more"

    @Test(
        "variables that mean nothing keep the program from starting",
        arguments: [
            (["NOTIFY_SOCKET": "run"], "NOTIFY_SOCKET: 'run' is not \(allowedSocket)"),
            (["NOTIFY_SOCKET": "@"], "NOTIFY_SOCKET: '@' is not \(allowedSocket)"),
            (
                ["NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "1s"],
                "WATCHDOG_USEC: '1s' is not \(allowedTime)"
            ),
            (
                ["NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "9999"],
                "WATCHDOG_USEC: '9999' is not \(allowedTime)"
            ),
        ]
    )
    func refusals(variables: [String: String], text: String) throws {
        let run = try RosterProcess.run([], environment: variables)
        #expect(run.ending == .exit(78))
        #expect(run.lines == ["roster: \(text)"])
    }

    @Test("a manager that is gone is named in the log, and the program serves")
    func gone() throws {
        let server = try RosterProcess(
            serving: [],
            environment: ["NOTIFY_SOCKET": folder.path("gone")]
        )
        try server.waitForLine {
            $0 == "roster: NOTIFY_SOCKET: ready was not taken: No such file or directory"
        }
        #expect(try server.get("/-/ready").status == 200)
        try server.stop()
    }
}
