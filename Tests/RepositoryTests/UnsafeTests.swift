import Testing

@Suite("Unsafe code stands where it may, with its reason")
struct UnsafeTests {
    /// The lines before a use in which its reason may stand.
    private let reach = 12

    @Test("only the targets that own memory or call the system hold unsafe code")
    func unsafeOnlyWhereAllowed() throws {
        let files = try Repository.swiftFiles(under: "Sources")
        expectNone(
            files.filter { !Targets.withUnsafeCode.contains(String($0.target)) }.flatMap { file in
                uses(in: file).map { file.finding(at: $0, "\(file.target) is a safe target") }
            }
        )
    }

    @Test("every use stands below a SAFETY comment of the same function")
    func everyUseHasItsReason() throws {
        let files = try Repository.swiftFiles(under: "Sources")
        #expect(files.contains { !uses(in: $0).isEmpty }, "the scanner finds no use at all")
        expectNone(files.flatMap(usesWithoutReason))
    }

    @Test(
        "a reason counts only where it is near and in the same function",
        arguments: [
            (["unsafe f()"], [1]),
            (["// SAFETY: it lives.", "unsafe f()"], []),
            (["// It lives.", "unsafe f()"], [2]),
            (["// SAFETY: it lives.", "let a = 1", "unsafe f()", "unsafe g()"], []),
            (["unsafe p.with { x in", "    // SAFETY: x lives.", "    unsafe f(x)", "}"], []),
            (["// SAFETY: a.", "func next() {", "    unsafe f()", "}"], [3]),
            (["func a() {", "    // SAFETY: a.", "}", "func b() { unsafe f() }"], [4]),
            (["@unsafe func a()", "let unsafeCount = 1", #"log("unsafe")"#], []),
            (["// SAFETY: far."] + Array(repeating: "let a = 1", count: 12) + ["unsafe f()"], [14]),
        ]
    )
    func reasonIsNear(text: [String], lines: [Int]) {
        let file = SwiftFile(path: "a.swift", text: text.joined(separator: "\n"))
        #expect(usesWithoutReason(file).map(\.line) == lines, "\(text)")
    }

    /// The lines with the word `unsafe`, which the compiler asks for at every use.
    private func uses(in file: SwiftFile) -> [Int] {
        file.lines.indices.filter { file.lines[$0].words.contains("unsafe") }
    }

    private func usesWithoutReason(_ file: SwiftFile) -> [Finding] {
        uses(in: file)
            .filter { !hasReason(file, $0) }
            .map { file.finding(at: $0, "unsafe without a SAFETY comment above it") }
    }

    private func hasReason(_ file: SwiftFile, _ use: Int) -> Bool {
        // A closure that is lent memory gives the reason in its first line.
        if file.lines[use].code.contains("{"), isReason(file, use + 1) { return true }
        var index = use
        while index > use - reach, index > 0, !startsFunction(file.lines[index]) {
            index -= 1
            if isReason(file, index) { return true }
        }
        return false
    }

    private func isReason(_ file: SwiftFile, _ index: Int) -> Bool {
        file.lines.indices.contains(index) && file.lines[index].comment.hasPrefix("// SAFETY:")
    }

    private func startsFunction(_ line: SwiftFile.Line) -> Bool {
        let words = line.words
        return words.contains("func") || words.contains("deinit") || words.contains("subscript")
            || words.contains("init") && line.code.contains("{") && !line.code.contains(".init")
            || line.code.contains(/\bvar\b.*\{/)
    }
}
