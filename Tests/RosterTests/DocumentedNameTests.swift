import Foundation
import HTTP
import ListAPITestSupport
import Listings
import Rendering
import Testing

@testable import ListAPI
@testable import RosterProgram

@Suite("The pages name every setting, parameter, operator, problem, address, metric and exit code")
struct DocumentedNameTests {
    private static let catalog = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Roster/Roster.docc")

    private static func text(of page: String) throws -> String {
        try String(contentsOf: catalog.appending(path: "\(page).md"), encoding: .utf8)
    }

    /// The text of all articles that are not about the program's own design.
    private static func texts() throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: catalog.path).sorted()
            .filter { $0.hasSuffix(".md") && !["Decisions.md", "Internals.md"].contains($0) }
            .map { try String(contentsOf: catalog.appending(path: $0), encoding: .utf8) }
            .joined(separator: "\n")
    }

    private static func code(in text: String) -> [Substring] {
        text.matches(of: /`([^`\n]+)`/).map(\.1)
    }

    private static func firstCells(in text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("|") }
            .compactMap { $0.split(separator: "|").first }
    }

    @Test("every setting stands in a table of Settings, as the help has it", arguments: Setting.all)
    func settings(setting: Setting) throws {
        // In a table a bar is written with a backslash.
        let usage = setting.usage?.replacing("|", with: "\\|")
        let flag = usage.map { "`\($0)`" } ?? "–"
        let row = "| \(flag) | `\(setting.variable)` | \(setting.standard) | \(setting.summary) |\n"
        let isShown = try Self.text(of: "Settings").contains(row)
        #expect(isShown, "Settings.md has no line \(row)")
    }

    @Test("Settings names no variable that the program does not read")
    func unknownSettings() throws {
        let known = Set(Setting.all.map(\.variable))
        let named = Self.firstCells(in: try Self.text(of: "Settings"))
            .flatMap { $0.matches(of: /`(ROSTER_[A-Z_]+)`/).map { String($0.1) } }
        #expect(Set(named).subtracting(known).sorted() == [])
    }

    @Test("every parameter of a list stands in a table of Querying")
    func parameters() throws {
        let cells = Self.firstCells(in: try Self.text(of: "Querying"))
        let others: [ListParameter] = [.since, .include, .onDuplicate, .conditions]
        for name in ListParameter.allCases.filter({ !others.contains($0) }).map(\.name) {
            #expect(cells.contains { $0.contains("`\(name)`") }, "\(name)")
        }
    }

    @Test("the parameters of writes and changes are named")
    func otherParameters() throws {
        let names = Self.code(in: try Self.texts()).map {
            String($0.prefix { $0.isLetter || $0 == "_" })
        }
        for name in ["on_duplicate", "since", "include"] {
            #expect(names.contains(name), "\(name)")
        }
    }

    @Test("every operator is named in Querying", arguments: Filter.Operator.allCases)
    func operators(operation: Filter.Operator) throws {
        let cells = Self.firstCells(in: try Self.text(of: "Querying"))
        let name = operation.rawValue
        // Equality is a column alone.
        guard operation != .equal else { return }
        let isShown = cells.contains { cell in
            Self.code(in: String(cell)).contains { $0 == name || $0.contains("__\(name)") }
        }
        #expect(isShown, "Querying.md has no operator \(name) in a table")
    }

    @Test("every problem is named", arguments: ProblemKind.all)
    func problems(kind: ProblemKind) throws {
        let isShown = Self.code(in: try Self.texts()).contains {
            $0 == kind.name || $0.hasSuffix("/-/problems/\(kind.name)")
        }
        #expect(isShown, "no page names the problem \(kind.name)")
    }

    @Test("every address is named")
    func addresses() throws {
        // In prose, and in the commands and responses that the pages show.
        let text = "\n" + (try Self.texts())
        let paths = text.matches(of: /(?:127\.0\.0\.1:8080|[\s`"'(<])(\/[^\s`"'?)>]*)/).map {
            $0.1.split(separator: "/")
        }
        for entry in Route.table {
            let pattern = entry.pattern.split(separator: "/")
            let isShown = paths.contains { path in
                path.count == pattern.count
                    && zip(pattern, path).allSatisfy { wanted, given in
                        wanted.hasPrefix("{") ? given != "-" : wanted == given
                    }
            }
            #expect(isShown, "no page names \(entry.method) \(entry.pattern)")
        }
    }

    @Test(
        "the fixed addresses respond",
        arguments: [
            "/", "/users", "/users/19", "/users/-/sections", "/users/-/sections/Writer",
            "/users/-/schema", "/-/live", "/-/ready", "/-/version", "/-/metrics",
            "/-/openapi.json", "/-/docs", "/-/docs/querying",
        ]
    )
    func responses(address: String) throws {
        #expect(try Client(samples: .inMemory).get(address).status == 200)
    }

    @Test("every metric is named in Operating")
    func metrics() throws {
        let text = try Self.text(of: "Operating")
        let metrics = try Client(samples: .inMemory).get("/-/metrics").body
        let names = metrics.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            .compactMap { $0.split(separator: " ").dropFirst(2).first }
        #expect(names.count > 10)
        for name in names {
            let isShown = text.contains("`\(name)")
            #expect(isShown, "Operating.md does not name \(name)")
        }
    }

    @Test("every exit code stands in a table")
    func exitCodes() throws {
        let cells = Self.firstCells(in: try Self.texts()).map {
            $0.filter { $0.isNumber }
        }
        let codes: [ExitCode] = [
            .done, .usage, .badData, .noInput, .unavailable, .software, .cannotCreate,
            .inputOutput, .configuration,
        ]
        for code in codes {
            #expect(cells.contains("\(code.rawValue)"), "\(code)")
        }
    }
}
