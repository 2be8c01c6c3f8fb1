import Foundation
import TestSupport

final class RunningProgram {
    private let process = Process()
    private let connection: RawConnection

    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(filePath: program)
        process.arguments = arguments + ["--port", "0", "--loops", "1"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        var text = ""
        var port: UInt16?
        while port == nil {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { fatalError("\(program) ended: \(text)") }
            text += String(decoding: bytes, as: UTF8.self)
            port = text.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) }
        }
        connection = try RawConnection(port: port ?? 0)
    }

    deinit { process.terminate() }

    /// Imports a CSV file into a list, and waits for its end.
    func importFile(_ path: String, into list: String) throws {
        let file = try String(contentsOfFile: path, encoding: .utf8)
        try connection.send(
            "POST /\(list)/-/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                + "Content-Length: \(file.utf8.count)\r\n\r\n\(file)"
        )
        let location = try connection.receiveResponse(to: "POST").field("Location") ?? ""
        while true {
            try connection.send("GET \(location) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let progress = try connection.receiveResponse().text
            if progress.contains(#""state":"done""#) { return }
            guard !progress.contains(#""state":"failed""#), !location.isEmpty else {
                fatalError(progress)
            }
            usleep(10_000)
        }
    }

    /// The time of one request in microseconds, from its first byte to the last of the answer; nil
    /// for one that takes too long.
    func get(_ target: String) throws -> Double? {
        let start = ContinuousClock.now
        try connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = try connection.receiveResponse()
        let time = (ContinuousClock.now - start) / .microseconds(1)
        if answer.status == 503 { return nil }
        guard answer.status == 200 else {
            fatalError(
                "\(target): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
            )
        }
        return time
    }
}
