import Foundation
import TestSupport
import Testing

@testable import System

@Suite("Files that changed are found by their states")
struct FileStatesTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private var path: String { folder.path + "/people.csv" }

    /// Writes a file anew, as old as given.
    private func write(_ text: String, to path: String, age: TimeInterval = 60) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try setAge(age, of: path)
    }

    private func setAge(_ age: TimeInterval, of path: String) throws {
        let time = Date(timeIntervalSince1970: 1_700_000_000 - age)
        let date = age == 0 ? Date() : time
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private func append(_ text: String, to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test("a file that a writer extends has changed at once")
    func extended() throws {
        try write("id,name\n1,Ada\n", to: path)
        var states = FileStates([path])
        #expect(states.changes(besides: []) == [:])
        for _ in 1...3 {
            try append("2,Bo\n", to: path)
            #expect(states.changes(besides: []) == [path: .extended])
            #expect(states.changes(besides: []) == [:])
        }
    }

    @Test("a file that is written anew has changed when nothing is written for a moment")
    func rewritten() throws {
        try write("id,name\n1,Ada\n2,Bo\n", to: path)
        var states = FileStates([path])
        for text in ["id", "id,name\n7,Eve\n8,Eva\n9,Edda\n"] {
            try write(text, to: path, age: 0)
            #expect(states.changes(besides: []) == [:])
        }
        try setAge(10, of: path)
        #expect(states.changes(besides: []) == [path: .complete])
    }

    @Test("a link to another folder is followed, also to a file of the same size and time")
    func linked() throws {
        for (name, text) in [("a", "id\n1\n"), ("b", "id\n2\n"), ("c", "id\n33\n")] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)",
                withIntermediateDirectories: false
            )
            try write(text, to: "\(folder.path)/\(name)/people.csv")
        }
        let link = folder.path + "/current"
        func switchLink(to name: String) throws {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: name
            )
        }
        try switchLink(to: "a")
        let path = link + "/people.csv"
        var states = FileStates([path, link + "/"])
        try switchLink(to: "b")
        #expect(states.changes(besides: []) == [path: .disguised, link + "/": .complete])
        try switchLink(to: "c")
        #expect(states.changes(besides: []) == [path: .complete, link + "/": .complete])
        #expect(states.changes(besides: []) == [:])
    }

    @Test("files that come to a folder, and that leave it, have changed")
    func folderOfFiles() throws {
        let all = folder.path + "/"
        try setAge(60, of: folder.path)
        var states = FileStates([all])
        try write("id\n", to: path)
        #expect(states.changes(besides: []) == [all: .complete, path: .complete])
        // Two changes in one tick of the clock have the same time.
        try setAge(50, of: folder.path)
        #expect(states.changes(besides: []) == [all: .complete])
        try FileManager.default.removeItem(atPath: path)
        #expect(states.changes(besides: []) == [all: .complete, path: .complete])
        #expect(states.changes(besides: []) == [:])
    }
}
