import Bytes

/// A reader of the workbooks that the server writes, which expects their exact form.
package struct ReadWorkbook {
    package enum Cell: Hashable, Sendable {
        case text(String)
        case number(Double)
        case boolean(Bool)
        case date(Double, format: String)
    }

    /// A sheet with its cells by row; a cell without a value is nil.
    package struct Sheet {
        package let name: String
        package let rows: [[Cell?]]
        package let xml: String
    }

    /// The file is no workbook.
    package struct Malformed: Error {
        package let reason: String
    }

    /// The entries of the zip file in their order.
    package let entries: [(name: String, content: [UInt8])]
    /// The sheets in the order of the workbook.
    package let sheets: [Sheet]

    package init(_ bytes: [UInt8]) throws {
        let entries = try ZipEntries.read(bytes)
        func text(_ name: String) throws -> String {
            guard let entry = entries.first(where: { $0.name == name }) else {
                throw Malformed(reason: "no entry \(name)")
            }
            guard let text = String(validating: entry.content, as: UTF8.self) else {
                throw Malformed(reason: "\(name) is not UTF-8")
            }
            return text
        }
        let formats = try Self.formats(text("xl/styles.xml"))
        let types = try text("[Content_Types].xml")
        self.entries = entries
        let names = try text("xl/workbook.xml").matches(of: /<sheet name="([^"]*)" sheetId="(\d+)"/)
        sheets = try names.map { name in
            let part = "xl/worksheets/sheet\(name.2).xml"
            guard types.contains("\"/\(part)\"") else {
                throw Malformed(reason: "no type of \(part)")
            }
            let xml = try text(part)
            let rows = try Self.rows(xml, formats)
            return Sheet(name: Self.unescaped(name.1), rows: rows, xml: xml)
        }
    }

    private static func formats(_ styles: String) -> [String?] {
        var formats: [Substring: String] = [:]
        for format in styles.matches(of: /numFmtId="(\d+)" formatCode="([^"]*)"/) {
            formats[format.1] = unescaped(format.2)
        }
        let cells = styles.split(separator: "<cellXfs").last ?? ""
        return cells.matches(of: /<xf numFmtId="(\d+)"/).map { formats[$0.1] }
    }

    private static func rows(_ xml: String, _ formats: [String?]) throws -> [[Cell?]] {
        var rows: [[Cell?]] = []
        for row in xml.matches(of: /(?s)<row r="(\d+)">(.*?)<\/row>/) {
            guard Int(row.1) == rows.count + 1 else { throw Malformed(reason: "row \(row.1)") }
            var cells: [Cell?] = []
            let pattern = /(?s)<c r="([A-Z]+)(\d+)"(?: s="(\d+)")?(?: t="(\w+)")?>(.*?)<\/c>/
            for cell in row.2.matches(of: pattern) {
                let location = cell.1.utf8.reduce(0) { $0 * 26 + Int($1) - 64 } - 1
                guard cell.2 == row.1, location >= cells.count else {
                    throw Malformed(reason: "cell \(cell.1)\(cell.2)")
                }
                cells += Array(repeating: nil, count: location - cells.count)
                let style = cell.3.flatMap { Int($0) } ?? 0
                cells.append(try self.cell(cell.5, cell.4, formats[style]))
            }
            rows.append(cells)
        }
        return rows
    }

    private static func cell(
        _ xml: Substring,
        _ type: Substring?,
        _ format: String?
    ) throws -> Cell {
        if type == "inlineStr" {
            guard
                let text = xml.wholeMatch(of: /(?s)<is><t( xml:space="preserve")?>(.*)<\/t><\/is>/)
            else { throw Malformed(reason: "text \(xml)") }
            let value = unescaped(text.2)
            let ends = [value.utf8.first, value.utf8.last].compactMap(\.self)
            let isTrimmed = ends.contains { " \t\r\n".utf8.contains($0) }
            guard !isTrimmed || text.1 != nil else { throw Malformed(reason: "space of \(xml)") }
            return .text(value)
        }
        guard let value = xml.wholeMatch(of: /<v>(.*)<\/v>/)?.1, let number = Double(value) else {
            throw Malformed(reason: "value \(xml)")
        }
        if type == "b" { return .boolean(number == 1) }
        guard let format, !format.hasPrefix("0.") else { return .number(number) }
        return .date(number, format: format)
    }

    private static func unescaped(_ xml: Substring) -> String {
        var text = String(xml)
        for (escape, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#13;", "\r"), ("&amp;", "&"),
        ] {
            text = text.split(separator: escape, omittingEmptySubsequences: false)
                .joined(separator: character)
        }
        return text.replacing(/_x([0-9A-Fa-f]{4})_/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map(String.init) ?? ""
        }
    }
}

/// The entries of a zip file whose sizes follow their content.
private enum ZipEntries {
    static func read(_ bytes: [UInt8]) throws -> [(name: String, content: [UInt8])] {
        func number(_ location: Int, _ count: Int) throws -> Int {
            guard location >= 0, location + count <= bytes.count else {
                throw ReadWorkbook.Malformed(reason: "no \(count) bytes at \(location)")
            }
            return bytes[location..<location + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func expect(_ signature: Int, at location: Int) throws {
            guard try number(location, 4) == signature else {
                throw ReadWorkbook.Malformed(reason: "no \(signature) at \(location)")
            }
        }
        let end = bytes.count - 22
        try expect(0x0605_4B50, at: end)
        var location = try number(end + 16, 4)
        var entries: [(String, [UInt8])] = []
        for _ in 0..<(try number(end + 10, 2)) {
            try expect(0x0201_4B50, at: location)
            let (checksum, packed) = (try number(location + 16, 4), try number(location + 20, 4))
            let (size, nameCount) = (try number(location + 24, 4), try number(location + 28, 2))
            let offset = try number(location + 42, 4)
            let name = String(
                decoding: bytes[location + 46..<location + 46 + nameCount],
                as: UTF8.self
            )
            location += try 46 + nameCount + number(location + 30, 2)
            try expect(0x0403_4B50, at: offset)
            let start = offset + 30 + nameCount
            try expect(0x0807_4B50, at: start + packed)
            guard try number(start + packed + 4, 4) == checksum else {
                throw ReadWorkbook.Malformed(reason: "two checksums of \(name)")
            }
            let content = try Gunzip.readEntry(Array(bytes[start..<start + packed]))
            var found = CRC32()
            found.add(content.span)
            guard content.count == size, Int(found.value) == checksum else {
                throw ReadWorkbook.Malformed(reason: "content of \(name)")
            }
            entries.append((name, content))
        }
        guard location == end else {
            throw ReadWorkbook.Malformed(reason: "directory ends at \(location)")
        }
        return entries
    }
}
