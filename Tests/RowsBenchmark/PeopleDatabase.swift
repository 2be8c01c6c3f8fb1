import Database
import Foundation
import ListAPI
import Listings
import RosterProgram
import SQLite

struct PeopleDatabase: People {
    let path: String
    let source: TableSource

    init(rows: Int, in folder: String) throws {
        path = folder + "/users-\(rows).db"
        var configuration = Configuration()
        configuration.database = path
        if !FileManager.default.fileExists(atPath: path) {
            try Self.makeRoom(for: rows, in: folder)
            let people = PeopleFile(path: folder + "/users-\(rows).csv", rows: rows)
            try Self.timed("\(rows) rows written to \(people.path)") {
                try people.write { tell("writing: \($0 * 100 / rows) %") }
            }
            let source = try SourceArgument("users=\(people.path)")
            configuration.sources = [source]
            // Under another name until it is whole: an interrupted run begins anew.
            configuration.database = path + ".part"
            for ending in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + ".part" + ending)
            }
            try Self.timed("\(rows) rows imported", rows: rows) {
                _ = try ListRegistry(configuration)
            }
            try FileManager.default.moveItem(atPath: path + ".part", toPath: path)
            try FileManager.default.removeItem(atPath: people.path)
            configuration.sources = []
            configuration.database = path
        }
        source = try Self.source(of: configuration)
    }

    var arguments: [String] { ["--database", path] }

    var summary: String {
        let bytes = ["", "-wal"].reduce(0) { sum, ending in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + ending)
            return sum + ((attributes?[.size] as? Int) ?? 0)
        }
        return "SQLite, \(bytes >> 20) MiB"
    }

    func makeForgetting() throws -> () throws -> Void {
        let writer = try DatabaseConnection(.file(path), access: .readWrite)
        return { try writer.execute("UPDATE roster_lists SET counter = counter + 1") }
    }

    /// A row takes some 100 bytes of the file, 700 of the database, and as much again while its
    /// indexes are sorted and the log is copied.
    private static func makeRoom(for rows: Int, in folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let system = try FileManager.default.attributesOfFileSystem(forPath: folder)
        let free = (system[.systemFreeSize] as? Int) ?? 0
        let needed = rows * 2_000
        guard free > needed else {
            fatalError("\(folder) has room for \(free >> 20) MiB; \(needed >> 20) are needed")
        }
    }

    static func timed(_ what: String, rows: Int? = nil, _ work: () throws -> Void) throws {
        let start = ContinuousClock.now
        try work()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let rate = rows.map { ", \(Int(Double($0) / seconds)) a second" } ?? ""
        print("\(what) in \(Int(seconds.rounded())) s\(rate)")
    }
}

func tell(_ text: String) {
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
}
