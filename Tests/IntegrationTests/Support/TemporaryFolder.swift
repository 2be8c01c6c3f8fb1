import Foundation

final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "roster-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        // What cannot be removed is left to the system, which empties its temporary folder.
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.path(percentEncoded: false) + "/" + name }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// The bytes in a file; 0 where there is none.
    func size(of name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
        return (attributes?[.size] as? Int) ?? 0
    }
}
