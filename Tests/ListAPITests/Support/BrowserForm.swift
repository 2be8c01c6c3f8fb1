import Foundation
import ListAPITestSupport

struct BrowserForm {
    let page: String
    private var fields: [(name: String, value: String)] = []
    var checked: [String: [String]] = [:]

    var choices: [String] {
        checked.keys.filter { $0.hasPrefix("form__choice__") }.map { String($0.dropFirst(14)) }
    }

    init(_ answer: Answer) {
        page = answer.body
        let inputs = /<input([^>]*)>|<textarea([^>]*)>\n((?s:.*?))<\/textarea>/
        for field in page.matches(of: inputs) {
            let attributes = String(field.1 ?? field.2 ?? "")
            guard let name = Self.attribute("name", attributes), name != "q" else { continue }
            let value = Self.attribute("value", attributes) ?? ""
            switch Self.attribute("type", attributes) {
            case "checkbox", "radio":
                checked[name, default: []] += attributes.contains(" checked") ? [value] : []
            default: self.fields.append((name, field.3.map { Self.text(String($0)) } ?? value))
            }
        }
    }

    subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            guard let index = fields.firstIndex(where: { $0.name == name }) else { return }
            fields[index].value = newValue ?? ""
        }
    }

    var encoded: String {
        let boxes = checked.flatMap { name, values in values.map { (name: name, value: $0) } }
        return (fields + boxes).map { name, value in
            let lines = value.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            return Self.encode(name) + "=" + Self.encode(lines.replacing("\n", with: "\r\n"))
        }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        text.utf8.map { String(format: "%%%02X", $0) }.joined()
    }

    private static func attribute(_ name: String, _ attributes: String) -> String? {
        guard let start = attributes.range(of: " \(name)=\"") else { return nil }
        return text(String(attributes[start.upperBound...].prefix { $0 != "\"" }))
    }

    private static func text(_ html: String) -> String {
        let characters = ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&amp;": "&"]
        let order = ["&lt;", "&gt;", "&quot;", "&amp;"]
        let unescaped = order.reduce(html) { $0.replacing($1, with: characters[$1] ?? "") }
        return unescaped.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}
