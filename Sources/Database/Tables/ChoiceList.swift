/// The texts to which conditions of a table limit its columns: `CHECK (state IN ('new', 'done'))`.
///
/// PostgreSQL writes such a condition as `((state)::text = ANY ((ARRAY['new'::text])::text[]))`.
package enum ChoiceList {
    private enum Token: Equatable {
        case name(String)
        case text(String)
        case sign(Character)

        func isWord(_ word: String) -> Bool {
            if case .name(let name) = self { name.lowercased() == word } else { false }
        }
    }

    /// Returns the choices by the names of columns in lower case.
    ///
    /// A condition of any other form gives none.
    package static func all(in sql: String) -> [String: [String]] {
        let tokens = tokens(of: sql)
        var choices: [String: [String]] = [:]
        for start in tokens.indices where tokens[start].isWord("check") {
            guard let condition = condition(after: start, in: tokens),
                let (name, texts) = choice(condition)
            else { continue }
            choices[name.lowercased()] = texts
        }
        return choices
    }

    /// Returns the tokens between the parentheses after a token.
    private static func condition(after start: Int, in tokens: [Token]) -> ArraySlice<Token>? {
        guard start + 1 < tokens.count, tokens[start + 1] == .sign("(") else { return nil }
        var depth = 0
        for end in (start + 1)..<tokens.count {
            if tokens[end] == .sign("(") { depth += 1 }
            if tokens[end] == .sign(")") { depth -= 1 }
            if depth == 0 { return tokens[(start + 2)..<end] }
        }
        return nil
    }

    private static func choice(_ condition: ArraySlice<Token>) -> (String, [String])? {
        let tokens = condition.filter { ![.sign("("), .sign(")")].contains($0) }
        guard tokens.count > 2, case .name(let name) = tokens[0] else { return nil }
        var rest = tokens.dropFirst()
        for word in rest.first == .sign("=") ? ["=", "any", "array"] : ["in"] {
            guard let token = rest.popFirst(), token == .sign("=") || token.isWord(word) else {
                return nil
            }
        }
        var texts: [String] = []
        for token in rest {
            switch token {
            case .text(let text): texts.append(text)
            case .sign(","), .sign("["), .sign("]"): break
            case .name, .sign: return nil
            }
        }
        return texts.isEmpty ? nil : (name, texts)
    }

    /// Returns the names, texts and signs without comments and casts.
    private static func tokens(of sql: String) -> [Token] {
        var tokens: [Token] = []
        var rest = Substring(sql)
        while let first = rest.first {
            switch first {
            case "'": tokens.append(.text(quoted(&rest, by: "'")))
            case "\"", "`": tokens.append(.name(quoted(&rest, by: first)))
            case "[" where !(tokens.last?.isWord("array") ?? false):
                tokens.append(.name(quoted(&rest, by: "]")))
            case "-" where rest.hasPrefix("--"): rest = rest.drop { !$0.isNewline }
            case ":" where rest.hasPrefix("::"):
                rest = rest.dropFirst(2).drop { isPart($0) }
                if rest.hasPrefix(" varying") { rest = rest.dropFirst(8) }
                if rest.hasPrefix("[]") { rest = rest.dropFirst(2) }
            case _ where isPart(first):
                let word = rest.prefix(while: isPart)
                tokens.append(.name(String(word)))
                rest = rest[word.endIndex...]
            default:
                if !first.isWhitespace { tokens.append(.sign(first)) }
                rest = rest.dropFirst()
            }
        }
        return tokens
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_$.".contains(character)
    }

    /// Removes a quoted part; doubled quotes stand for one.
    private static func quoted(_ rest: inout Substring, by quote: Character) -> String {
        rest = rest.dropFirst()
        var text = ""
        while let end = rest.firstIndex(of: quote) {
            text += rest[..<end]
            rest = rest[rest.index(after: end)...]
            guard rest.first == quote, quote != "]" else { return text }
            text.append(quote)
            rest = rest.dropFirst()
        }
        return text
    }
}
