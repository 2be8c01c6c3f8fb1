import HTTP
import Rendering

/// The restoration of line breaks in texts from browsers, which send each as CR LF.
enum LineBreaks {
    /// A line and its line break: LF, CR LF, CR, or none for the last one.
    private struct Line {
        let text: Substring.UTF8View
        let end: Substring.UTF8View
        var shown: FormValue { FormValue(String(Substring(text))) }
    }

    /// Unchanged lines at the beginning and the end are stored ones; others end as the first does.
    static func restored(_ text: String, from stored: String) -> String {
        let sent = lines(of: text)
        let old = lines(of: stored)
        let shown = (sent.map(\.shown), old.map(\.shown))
        let most = min(sent.count, old.count)
        let before = zip(shown.0, shown.1).prefix(while: ==).count
        let after = min(
            zip(shown.0.reversed(), shown.1.reversed()).prefix(while: ==).count,
            most - before
        )
        let usual = old.first { !$0.end.isEmpty }.map { String(Substring($0.end)) } ?? "\n"
        var restored = ""
        for (index, line) in sent.enumerated() {
            let isKept = index < before || index >= sent.count - after
            let source = index < before ? index : index - sent.count + old.count
            restored += String(Substring(isKept ? old[source].text : line.text))
            guard !line.end.isEmpty else { continue }
            let end = isKept ? String(Substring(old[source].end)) : ""
            restored += end.isEmpty ? usual : end
        }
        return restored
    }

    static func unified(_ item: QueryItems.Item) -> QueryItems.Item {
        QueryItems.Item(name: item.name, value: item.value.map { restored($0, from: "") })
    }

    private static func lines(of text: String) -> [Line] {
        var lines: [Line] = []
        var rest = text[...].utf8
        while let location = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            var next = rest.index(after: location)
            if rest[location] == 0x0D, next < rest.endIndex, rest[next] == 0x0A {
                next = rest.index(after: next)
            }
            lines.append(Line(text: rest[..<location], end: rest[location..<next]))
            rest = rest[next...]
        }
        lines.append(Line(text: rest, end: rest.prefix(0)))
        return lines
    }
}
