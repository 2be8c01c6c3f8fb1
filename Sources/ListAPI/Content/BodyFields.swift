import HTTP
import JSON
import Rendering

struct BodyFields {
    private enum Members {
        case json([String: JSONValue])
        case form([QueryItems.Item])
    }

    private static let text: Text = "a text that is not empty"
    private static let texts: Text = "an array of texts that are not empty"

    private let members: Members

    init(_ content: RequestContent, allowed: [String]) throws(Problem.Fault) {
        let names: [String]
        switch content {
        case .empty:
            members = .form([])
            names = []
        case .json(.object(let object, _)):
            members = .json(object)
            names = object.keys.filter { !allowed.contains($0) }.min().map { [$0] } ?? []
        case .json:
            throw .malformed(.pointer(""), "an object")
        case .form(let items):
            members = .form(items)
            names = items.map(\.name)
        }
        if let unknown = names.first(where: { !allowed.contains($0) }) {
            throw .unknownMember(unknown, at: location(of: unknown), allowed: allowed)
        }
    }

    func has(_ name: String) -> Bool {
        switch members {
        case .json(let object): object[name] != nil
        case .form(let items): items.contains { $0.name == name }
        }
    }

    func choice(among names: [String]) throws(Problem.Fault) -> String {
        let given = names.filter(has)
        guard let first = given.first else {
            throw .missing(nil, choices: names)
        }
        guard given.count == 1 else {
            throw .conflicting(location(of: given[1]), choices: names)
        }
        return first
    }

    func text(_ name: String) throws(Problem.Fault) -> String {
        switch members {
        case .json(let object):
            guard case .text(let text)? = object[name], !text.isEmpty else {
                throw malformed(name, Self.text)
            }
            return text
        case .form:
            let values = try texts(name)
            guard values.count == 1 else {
                throw .repeated(location(of: name))
            }
            return values[0]
        }
    }

    /// Returns distinct texts that are not empty: a JSON array, or a field that may be repeated.
    func texts(_ name: String) throws(Problem.Fault) -> [String] {
        var texts: [String] = []
        switch members {
        case .json(let object):
            guard case .array(let values, _)? = object[name] else {
                throw malformed(name, Self.texts)
            }
            for value in values {
                guard case .text(let text) = value, !text.isEmpty else {
                    throw malformed(name, Self.texts)
                }
                texts.append(text)
            }
        case .form(let items):
            for item in items where item.name == name {
                guard let value = item.value, !value.isEmpty else {
                    throw malformed(name, Self.text)
                }
                texts.append(value)
            }
        }
        guard Set(texts).count == texts.count else {
            throw .repeated(location(of: name))
        }
        return texts
    }

    func confirm(_ name: String) throws(Problem.Fault) {
        let isTrue =
            switch members {
            case .json(let object): object[name] == .boolean(true)
            case .form: try texts(name) == ["true"]
            }
        guard isTrue else { throw malformed(name, "true") }
    }

    func isUp(_ name: String) throws(Problem.Fault) -> Bool {
        switch try text(name) {
        case "up": true
        case "down": false
        default: throw malformed(name, "up or down")
        }
    }

    /// Returns two integers, written `[1, 0]` in JSON and `1,0` in a form.
    func pair(_ name: String) throws(Problem.Fault) -> (Int, Int) {
        let wanted: Text = "a section and a row: [0, 3] in JSON, 0,3 in a form"
        let words: [String]
        switch members {
        case .json(let object):
            guard case .array(let values, _)? = object[name] else { throw malformed(name, wanted) }
            words = values.map { if case .number(let number) = $0 { number } else { "" } }
        case .form:
            words = try text(name).split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
        }
        // The list refuses positions that are out of range.
        let numbers = words.compactMap { $0.first == "+" ? nil : Int($0) }
        guard words.count == 2, numbers.count == 2 else { throw malformed(name, wanted) }
        return (numbers[0], numbers[1])
    }

    private func malformed(_ name: String, _ wanted: Text) -> Problem.Fault {
        .malformed(location(of: name), wanted)
    }

    func location(of name: String) -> Problem.Fault.Location {
        switch members {
        case .json:
            .pointer("/" + JSONPointer.escape(name))
        case .form: .parameter(name)
        }
    }
}
