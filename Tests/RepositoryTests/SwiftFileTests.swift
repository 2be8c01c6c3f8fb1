import Testing

@Suite("The scanner the repository tests read Swift with")
struct SwiftFileTests {
    @Test(
        "code, literals and comments are told apart",
        arguments: [
            ("let a = 1  // why", "let a = 1  ", "// why"),
            (#"call("unsafe // no") // yes"#, #"call("") "#, "// yes"),
            (#"call("a \" unsafe", b)"#, #"call("", b)"#, ""),
            (##"call(#"a " \"#, b)"##, #"call("", b)"#, ""),
            (#"call("") // x"#, #"call("") "#, "// x"),
            ("/// A summary.", "", "/// A summary."),
        ]
    )
    func lineIsParted(text: String, code: String, comment: String) throws {
        let line = try #require(SwiftFile(path: "a.swift", text: text).lines.first)
        #expect(line.code == code, "code of \(text)")
        #expect(line.comment == comment, "comment of \(text)")
    }

    @Test("the lines of a multi-line literal hold no code")
    func multiLineLiteralHoldsNoCode() {
        let file = SwiftFile(
            path: "a.swift",
            text: ##"""
                let text = #"""
                    public func hidden() "" unsafe
                    """#
                let next = 1
                """##
        )
        #expect(file.lines.map(\.code) == [#"let text = """#, "", "", "let next = 1"])
    }

    @Test("the words of a line keep what marks an attribute")
    func wordsKeepAttributes() {
        let file = SwiftFile(
            path: "a.swift",
            text: "@unsafe func withUnsafe(_ x: Int) { unsafe f() }"
        )
        #expect(
            file.lines.first?.words
                == ["@unsafe", "func", "withUnsafe", "_", "x", "Int", "unsafe", "f"]
        )
    }
}
