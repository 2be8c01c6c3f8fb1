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
            let file = try String(
                contentsOf: Self.folder.appending(path: asset.name),
                encoding: .utf8
            )
            #expect(asset.content.description == file, "\(asset.name)")
        }
    }

    @Test("the hash stands in front of the ending")
    func names() {
        let asset = Asset(name: "a.b.css", hash: "12", mediaType: "text/css", content: "")
        #expect(asset.hashedName == "a.b.12.css")
        #expect(Assets.styleCSS.hashedName == "style.\(Assets.styleCSS.hash).css")
        #expect(Assets.styleCSS.mediaType == "text/css; charset=utf-8")
    }

    @Test("the stylesheet stays small")
    func size() {
        #expect(Assets.styleCSS.content.utf8CodeUnitCount <= 14 << 10)
    }
}
