import Foundation
import Testing

enum OutsideProgram {
    /// Whether the command line of SQLite is installed.
    static let hasSQLite: Bool = (try? run("sqlite3", ["--version"]).code) == 0

    /// Whether this user may start programs as one who may do nothing.
    static let canBeNobody: Bool =
        (try? run("setpriv", RosterProcess.asNobody + ["true"]).code) == 0

    static func sqlite(
        _ database: String,
        _ statements: String
    ) throws -> (output: String, code: Int32) {
        try run("sqlite3", ["-batch", database, ".timeout 5000", statements])
    }

    static func run(
        _ program: String,
        _ arguments: [String]
    ) throws -> (output: String, code: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }
}
