import Foundation
import Testing

@testable import Rendering

@Suite("Files that come with the pages")
struct AssetsTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Public")

    @Test("every file of Public is there, byte by byte")
    func contents() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        #expect(Assets.all.map(\.name) == names.filter { !$0.hasPrefix(".") }.sorted())
        for asset in Assets.all {
            let file = try Data(contentsOf: Self.folder.appending(path: asset.name))
            #expect(asset.content == Array(file), "\(asset.name)")
        }
    }

    @Test("other content has another hash")
    func hashes() {
        #expect(Asset("a", Array("foobar".utf8)).hash == "85944171f73967e8")
        #expect(Set(Assets.all.map(\.hash)).count == Assets.all.count)
    }

    @Test("the stylesheet stays small")
    func size() throws {
        let style = try #require(Assets.all.first { $0.name == "style.css" })
        #expect(style.content.count <= 22 << 10)
    }
}
