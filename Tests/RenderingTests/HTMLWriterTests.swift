import Testing

@testable import Rendering

@Suite("Writing HTML")
struct HTMLWriterTests {
    @Test("every ASCII byte stands for itself, is escaped, or is shown as a picture")
    func escaping() {
        for byte in UInt8(0)..<128 {
            let scalar = UnicodeScalar(byte)
            let expected =
                switch scalar {
                case "&": "&amp;"
                case "<": "&lt;"
                case ">": "&gt;"
                case "\"": "&quot;"
                case "\t", "\n", "\r": String(scalar)
                case "\u{7F}": "\u{2421}"
                case "\0"..."\u{1F}":
                    String(decoding: [0xE2, 0x90, 0x80 + byte], as: UTF8.self)
                default: String(scalar)
                }
            let text = Fixture.text { buffer in
                HTMLWriter.write(to: &buffer) { $0.text("a\(scalar)b") }
            }
            #expect(text == "a\(expected)b", "byte \(byte)")
            let attribute = Fixture.text { buffer in
                HTMLWriter.write(to: &buffer) { $0.attribute("title", "a\(scalar)b") }
            }
            #expect(attribute == " title=\"a\(expected)b\"", "byte \(byte)")
        }
    }

    @Test("prepared markup is written as it was")
    func prepared() {
        let markup = HTMLMarkup { writer in
            writer.markup("<b>")
            writer.text("<")
        }
        let text = Fixture.text { HTMLWriter.write(to: &$0) { $0.markup(markup) } }
        #expect(text == "<b>&lt;")
    }

    @Test(
        "only web addresses become links",
        arguments: [
            ("https://example.org", true), ("HTTP://example.org/a?b=c&d=(e)#f", true),
            ("https://", false), ("javascript:alert(1)", false), (" https://example.org", false),
            ("https://example.org/K\u{F6}ln", true), ("https://example.org/\u{61C}a", false),
            ("https://example.org/\u{202E}gro", false), ("https://exa mple.org", false),
            ("https://example.org/\"><script>", false), ("//example.org", false), ("", false),
            ("data:text/html,<script>", false), ("https:/example.org", false), ("h", false),
        ]
    )
    func webAddresses(_ text: String, _ isSafe: Bool) {
        #expect(SafeURL.isWeb(text.utf8.span) == isSafe)
    }

    @Test(
        "only plain e-mail addresses become links",
        arguments: [
            ("a@b", true), ("o'brien.x+y_z-1@example.org", true), ("a@b?bcc=c@d", false),
            ("a@b@c", false), ("@b", false), ("a@", false), ("a", false), ("", false),
            ("a b@c", false), ("a@b&c", false), ("a%0A@b", false), ("é@b", false),
        ]
    )
    func mailAddresses(_ text: String, _ isSafe: Bool) {
        #expect(SafeURL.isMail(text.utf8.span) == isSafe)
    }
}
