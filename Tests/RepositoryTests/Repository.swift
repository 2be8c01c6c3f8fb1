import Foundation
import Testing

struct Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()  // RepositoryTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()

    /// The paths of the files that are tracked or would be, from the root on.
    ///
    /// Throws where git cannot list them: without a checkout these tests have nothing to hold.
    static func files() throws -> [String] {
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        // A checkout owned by another user is read all the same.
        git.arguments = [
            "git", "-c", "safe.directory=*",
            "ls-files", "-z", "--cached", "--others", "--exclude-standard",
        ]
        git.currentDirectoryURL = root
        // A hook of another repository sets GIT_DIR and its like.
        git.environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("GIT_")
        }
        let output = Pipe()
        git.standardOutput = output
        try git.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        git.waitUntilExit()
        try #require(git.terminationStatus == 0, "git ls-files failed in \(root)")
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\0")
            .map(String.init)
            .filter { path in
                // git lists a link to a folder as a file.
                let file = root.appending(path: path).resolvingSymlinksInPath()
                let values = try? file.resourceValues(forKeys: [.isRegularFileKey])
                return values?.isRegularFile ?? false
            }
    }

    static func swiftFiles(under folder: String) throws -> [SwiftFile] {
        try files()
            .filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".swift") }
            .map { SwiftFile(path: $0, text: try text(of: $0)) }
    }

    /// The text of one file; bytes that are not UTF-8 become U+FFFD.
    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }
}

struct Finding: Equatable, CustomStringConvertible {
    var path: String
    var line: Int
    var problem: String

    var description: String { "\(path):\(line): \(problem)" }
}

/// Records each finding as an issue of its own, so that a failed run lists all of them.
func expectNone(_ findings: [Finding]) {
    for finding in findings {
        Issue.record("\(finding)")
    }
}
