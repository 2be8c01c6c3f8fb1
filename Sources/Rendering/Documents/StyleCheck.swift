/// A check of the CSS that a program adds to the stylesheet.
///
/// It finds rules that pages never apply: unfinished ones, and those that load what the content
/// security policy of pages blocks.
package struct StyleCheck {
    private let css: [UInt8]
    private var index = 0
    private var line = 1
    private var open: [Int] = []

    private struct SyntaxError: Error {
        let line: Int
        let text: String
    }

    package static func error(in css: String) -> String? {
        var check = StyleCheck(css: Array(css.utf8))
        do throws(SyntaxError) {
            try check.run()
            return nil
        } catch {
            return "line \(error.line): \(error.text)"
        }
    }

    private init(css: [UInt8]) { self.css = css }

    private mutating func run() throws(SyntaxError) {
        while index < css.count {
            let byte = css[index]
            switch byte {
            case UInt8(ascii: "/") where begins("/*"): try skipComment()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try text()
            case UInt8(ascii: "{"):
                open.append(line)
                index += 1
            case UInt8(ascii: "}"):
                guard open.popLast() != nil else { throw error("a '}' has no '{' before it") }
                index += 1
            case UInt8(ascii: "@") where begins("@import"):
                throw error("'@import' loads nothing here; add the rules themselves")
            case UInt8(ascii: "@") where begins("@font-face"):
                throw error("pages load no fonts; name one that systems have")
            case UInt8(ascii: "u"), UInt8(ascii: "U"):
                if begins("url(") { try checkAddress() } else { index += 1 }
            default: step()
            }
        }
        guard let last = open.last else { return }
        throw SyntaxError(line: last, text: "a '{' has no '}' after it")
    }

    private mutating func step() {
        if css[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    private mutating func skipComment() throws(SyntaxError) {
        let start = line
        index += 2
        while !begins("*/") {
            guard index < css.count else {
                throw SyntaxError(line: start, text: "a comment has no end")
            }
            step()
        }
        index += 2
    }

    private mutating func text() throws(SyntaxError) -> String {
        let quote = css[index]
        index += 1
        let start = index
        while index < css.count, css[index] != quote {
            if css[index] == UInt8(ascii: "\n") { break }
            if css[index] == UInt8(ascii: "\\"), index + 1 < css.count { step() }
            step()
        }
        guard index < css.count, css[index] == quote else {
            throw error("a text has no quotation mark at its end")
        }
        defer { index += 1 }
        return String(decoding: css[start..<index], as: UTF8.self)
    }

    /// Refuses an address of another host, because pages load files of this server only.
    private mutating func checkAddress() throws(SyntaxError) {
        index += "url(".utf8.count
        while index < css.count, css[index] == UInt8(ascii: " ") { index += 1 }
        var address = ""
        if index < css.count, css[index] == UInt8(ascii: "\"") || css[index] == UInt8(ascii: "'") {
            address = try text()
        } else {
            let end = css[index...].firstIndex(of: UInt8(ascii: ")")) ?? css.count
            address = String(decoding: css[index..<end], as: UTF8.self)
            while index < end { step() }
        }
        let scheme = address.prefix { $0.isLetter }
        guard address.hasPrefix("//") || address.dropFirst(scheme.count).hasPrefix(":") else {
            return
        }
        throw error("pages do not load '\(address)'; put the file into the folder of --public")
    }

    private func error(_ text: String) -> SyntaxError { SyntaxError(line: line, text: text) }

    /// Whether the rest begins with a word, in any case.
    private func begins(_ word: String) -> Bool {
        let rest = css[index...].prefix(word.utf8.count)
        return String(decoding: rest, as: UTF8.self).lowercased() == word
    }
}
