import Foundation

final class SmallDisk {
    let path =
        FileManager.default.temporaryDirectory.path
        + "/roster-disk-\(UInt64.random(in: 0...UInt64.max))"

    /// Whether this user may mount file systems here.
    static let isPossible: Bool = (try? SmallDisk(megabytes: 1)) != nil

    init(megabytes: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path])
    }

    deinit {
        // Lazily, as a program that a failed test left may still use it.
        try? Self.run("umount", ["-l", path])
        try? FileManager.default.removeItem(atPath: path)
    }

    func resize(megabytes: Int) throws {
        try Self.run("mount", ["-o", "remount,size=\(megabytes)m", path])
    }

    func makeReadOnly() throws { try Self.run("mount", ["-o", "remount,ro", path]) }

    private struct Refused: Error {}

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Refused() }
    }
}
