import Testing

@testable import Rendering

@Suite("The check of additional CSS")
struct StyleCheckTests {
    @Test(
        "rules that pages can apply pass",
        arguments: [
            "", "a { color: red }", "/* } @import */ a { content: \"}\\\"{\" }",
            "@media (width > 9rem) { a { b: url(photo.png) } }", "a{b:url('/-/assets/p.png')}",
            "a { b: curl; c: url( \"p.png\" ) }",
        ]
    )
    func valid(_ css: String) {
        #expect(StyleCheck.error(in: css) == nil)
    }

    @Test(
        "unfinished rules and those that load what the policy blocks are found with their line",
        arguments: [
            ("a {\n b { }\n", "line 1: a '{' has no '}' after it"),
            ("a { }\n}", "line 2: a '}' has no '{' before it"),
            ("\n/* a", "line 2: a comment has no end"),
            ("a { content: 'b }", "line 1: a text has no quotation mark at its end"),
            ("@import 'a.css';", "line 1: '@import' loads nothing here; add the rules themselves"),
            ("@font-face { }", "line 1: pages load no fonts; name one that systems have"),
            (
                "a{\nb:URL(\"https://a.example/b.png\")}",
                "line 2: pages do not load 'https://a.example/b.png'; put the file into the folder "
                    + "of --public"
            ),
            (
                "a{b:url(data:image/gif,x)}",
                "line 1: pages do not load 'data:image/gif,x'; put the file into the folder of "
                    + "--public"
            ),
        ]
    )
    func invalid(_ css: String, _ error: String) {
        #expect(StyleCheck.error(in: css) == error)
    }
}
