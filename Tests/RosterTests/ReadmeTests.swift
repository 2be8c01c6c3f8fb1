import Foundation
import ListAPITestSupport
import Roster
import Testing

@testable import ListAPI

@Suite("The README names what there is to know")
struct ReadmeTests {
    private let text: String

    init() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")
        text = try String(contentsOf: readme, encoding: .utf8)
    }

    @Test("every setting, as the help has it", arguments: Option.Key.allCases)
    func settings(key: Option.Key) throws {
        let option = try #require(Option.all.first { $0.key == key })
        // In a table a bar is written with a backslash.
        let usage = option.usage?.replacing("|", with: "\\|")
        let flag = usage.map { "`\($0)`" } ?? "–"
        let row =
            "| \(flag) | `\(option.variable)` | "
            + "\(option.standard) | \(option.summary) |\n"
        let isShown = text.contains(row)
        #expect(isShown, "the README has no line \(row)")
    }

    @Test("every parameter of a list")
    func parameters() {
        let accepted: ListParameter.Accepted = [
            .paging, .rows, .grouping, .sections, .layout, .segment,
        ]
        let first = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.split(separator: "|").first }
        for name in accepted.parameters.map(\.name) {
            #expect(first.contains { $0.contains("`\(name)`") }, "\(name)")
        }
    }

    @Test(
        "every address",
        arguments: [
            "/", "/users", "/users/19", "/users/-/sections", "/users/-/sections/Writer",
            "/users/-/schema", "/-/live", "/-/ready", "/-/version", "/-/metrics",
            "/-/openapi.json",
        ]
    )
    func addresses(address: String) throws {
        let isShown = text.contains("`\(address)`")
        #expect(isShown, "the README does not name \(address)")
        #expect(try Client(samples: .inMemory).get(address).status == 200)
    }

    @Test("every exit code")
    func exitCodes() {
        let line = text.split(separator: "\n").first { $0.hasPrefix("Exit codes:") } ?? ""
        let numbers = line.split { !$0.isNumber }.compactMap { Int32($0) }
        let codes: [ExitCode] = [
            .done, .usage, .badData, .noInput, .unavailable, .software, .cannotCreate,
            .inputOutput, .configuration,
        ]
        #expect(codes.map(\.rawValue).filter { !numbers.contains($0) } == [])
    }
}
