import JSON
import ListAPI
import Listings
import TableFiles

struct DescriptionFile {
    private enum ListMember: String, CaseIterable {
        case title, description, source, license, hidden, label, sort, group, show, order, columns
    }

    private enum ColumnMember: String, CaseIterable {
        case label, description, format, width, relation, hidden
    }

    static let maximumBytes = 4 << 20

    private(set) var lists: [DescribedList] = []
    private let path: String
    private let bytes: [UInt8]
    /// The place that was asked for last.
    private var last = (offset: 0, line: 1, column: 1)
    private var failure: Failure?

    init(_ text: String, path: String) throws(Failure) {
        self.path = path
        bytes = Array(text.utf8)
        var reader = JSONTokenizer(bytes, maximumDepth: 16)
        do throws(JSONSyntaxError) {
            try read(&reader)
            try reader.finish()
        } catch {
            if let failure { throw failure }
            let error = FileError(error, in: bytes)
            throw Failure(.configuration, "\(path):\(error.location): \(error.reason.text)")
        }
        if let failure { throw failure }
    }

    private mutating func read(_ reader: inout JSONTokenizer) throws(JSONSyntaxError) {
        try members(&reader) { (file, name, reader) throws(JSONSyntaxError) in
            guard name.value == "lists" else {
                return try file.refuse(name, among: ["lists"], &reader)
            }
            try file.members(&reader) { (file, name, reader) throws(JSONSyntaxError) in
                var list = DescribedList(name)
                try file.members(&reader) { (file, name, reader) throws(JSONSyntaxError) in
                    try file.readMember(name, of: &list, &reader)
                }
                file.lists.append(list)
            }
        }
    }

    private mutating func members(
        _ reader: inout JSONTokenizer,
        _ body: (inout Self, Located<String>, inout JSONTokenizer) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        guard try reader.kind() == .object else {
            fail(location(of: reader.index), "an object is expected")
            try reader.value()
            return
        }
        var names: Set<String> = []
        try reader.members { (name, reader) throws(JSONSyntaxError) in
            let name = located(name, at: reader.tokenStart)
            if !names.insert(name.value).inserted {
                fail(name.location, "a second member '\(name.value)' in one object")
            }
            try body(&self, name, &reader)
        }
    }

    private mutating func readMember(
        _ name: Located<String>,
        of list: inout DescribedList,
        _ reader: inout JSONTokenizer
    ) throws(JSONSyntaxError) {
        guard let member = ListMember(rawValue: name.value) else {
            return try refuse(name, among: ListMember.allCases.map(\.rawValue), &reader)
        }
        switch member {
        case .title: list.title = try line(&reader).value
        case .description: list.about.description = try line(&reader).value
        case .source: list.about.source = try line(&reader).value
        case .license: list.about.license = try line(&reader).value
        case .hidden: list.isHidden = try boolean(&reader)
        case .label: list.label = try line(&reader)
        case .group: list.group = try line(&reader)
        case .sort: list.sort = try lines(&reader)
        case .show: list.show = try lines(&reader)
        case .order: list.order = try lines(&reader)
        case .columns:
            try members(&reader) { (file, name, reader) throws(JSONSyntaxError) in
                var column = DescribedList.Column(id: name)
                try file.members(&reader) { (file, name, reader) throws(JSONSyntaxError) in
                    try file.readMember(name, of: &column, &reader)
                }
                list.columns.append(column)
            }
        }
    }

    private mutating func readMember(
        _ name: Located<String>,
        of column: inout DescribedList.Column,
        _ reader: inout JSONTokenizer
    ) throws(JSONSyntaxError) {
        guard let member = ColumnMember(rawValue: name.value) else {
            return try refuse(name, among: ColumnMember.allCases.map(\.rawValue), &reader)
        }
        switch member {
        case .label: column.label = try line(&reader).value
        case .description: column.notes.description = try line(&reader).value
        case .relation: column.target = try line(&reader)
        case .hidden: column.isHidden = try boolean(&reader)
        case .format:
            let text = try line(&reader)
            if let format = ColumnFormat(text.value) {
                column.format = Located(value: format, location: text.location)
            } else {
                fail(text.location, "no format '\(text.value)'; allowed: \(ColumnFormat.forms)")
            }
        case .width:
            let text = try line(&reader)
            let allowed = ColumnNotes.Width.allCases.map(\.rawValue)
            column.notes.width = ColumnNotes.Width(rawValue: text.value)
            if column.notes.width == nil {
                fail(
                    text.location,
                    "no width '\(text.value)'; allowed: \(allowed.joined(separator: ", "))"
                )
            }
        }
    }

    private mutating func line(
        _ reader: inout JSONTokenizer
    ) throws(JSONSyntaxError) -> Located<String> {
        guard try reader.kind() == .string else {
            let line = located("", at: reader.index)
            fail(line.location, "a text in quotation marks is expected")
            try reader.value()
            return line
        }
        let text = try reader.string()
        let line = located(text, at: reader.tokenStart)
        if text.isEmpty { fail(line.location, "the text is empty; leave the member out") }
        return line
    }

    private mutating func lines(
        _ reader: inout JSONTokenizer
    ) throws(JSONSyntaxError) -> [Located<String>] {
        guard try reader.kind() == .array else { return [try line(&reader)] }
        var lines: [Located<String>] = []
        try reader.elements { (reader) throws(JSONSyntaxError) in
            lines.append(try line(&reader))
        }
        return lines
    }

    private mutating func boolean(_ reader: inout JSONTokenizer) throws(JSONSyntaxError) -> Bool {
        let range = try reader.value()
        let text = String(decoding: bytes[range], as: UTF8.self)
        if text != "true", text != "false" {
            fail(location(of: range.lowerBound), "true or false is expected")
        }
        return text == "true"
    }

    private mutating func refuse(
        _ name: Located<String>,
        among known: [String],
        _ reader: inout JSONTokenizer
    ) throws(JSONSyntaxError) {
        let near = Suggestion.nearest(to: name.value, among: known)
        let hint = near.map { "did you mean '\($0)'?" } ?? "known: \(known.joined(separator: ", "))"
        fail(name.location, "no member '\(name.value)'; \(hint)")
        try reader.value()
    }

    private mutating func fail(_ location: String, _ text: String) {
        failure = failure ?? Failure(.configuration, "\(location): \(text)")
    }

    private mutating func located(_ text: String, at offset: Int) -> Located<String> {
        Located(value: text, location: location(of: offset))
    }

    private mutating func location(of offset: Int) -> String {
        for byte in bytes[last.offset..<max(last.offset, offset)] {
            if byte == UInt8(ascii: "\n") {
                last.line += 1
                last.column = 1
            } else if byte & 0xC0 != 0x80 {
                last.column += 1
            }
        }
        last.offset = max(last.offset, offset)
        return "\(path):\(last.line):\(last.column)"
    }
}
