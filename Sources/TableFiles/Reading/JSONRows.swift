internal import JSON

/// Finds the rows of a JSON document that is no array of objects, and writes them as NDJSON.
///
/// Rows are, in this order: the objects of several documents; the elements of an array; the
/// features of GeoJSON; the objects of TopoJSON; a table of pandas (``JSONFrame``); a member of an
/// object that is a list of objects; arrays of one length, as columns; objects under their keys; or
/// the object itself. An object with several lists has no rows until one of them is chosen.
package struct JSONRows: Sendable {
    package private(set) var lines: [UInt8] = []
    /// The path of the rows in the document, such as `results` or `data.items`; empty for the
    /// document itself.
    package private(set) var path = ""
    package var lists: [String] { listParts.map(\.path) }
    /// The lists of objects in the document, if there are several.
    private var listParts: [(path: String, elements: [Part])] = []

    package private(set) var shape: JSONShape?
    package private(set) var repairs = FileRepairs()
    package private(set) var isSingleObject = false
    /// Nil if a row is not an element of one array.
    private var elements: [Range<Int>]?
    package private(set) var areArrays = false
    /// The array of the rows, if they are its elements.
    private var list: Range<Int>?
    private let markCount: Int

    private let parts: JSONParts
    private static let maximumListDepth = 3

    /// One or several documents, with or without a byte order mark.
    package init(_ bytes: [UInt8], at path: String? = nil) throws(FileError) {
        markCount = bytes.starts(with: ByteOrderMark.bytes) ? ByteOrderMark.bytes.count : 0
        let bytes = markCount > 0 ? Array(bytes.dropFirst(markCount)) : bytes
        var isFound = true
        do throws(JSONSyntaxError) {
            parts = try JSONParts(bytes)
            let documents = parts.documents
            if let path {
                isFound = try addRows(of: documents, at: path)
            } else if documents.count == 1 {
                try addRows(of: documents[0])
            } else {
                try add(elements: documents)
            }
        } catch {
            throw FileError(error, in: bytes)
        }
        if let first = parts.nonFinite.first {
            let location = FileLocation(of: first.lowerBound, in: bytes)
            repairs.add(.nonFinite, at: location, count: parts.nonFinite.count)
        }
        if let path, !isFound { throw FileError(.noRows(at: path, lists: lists), at: .start) }
    }

    /// In the bytes of the document.
    package var rowRanges: [Range<Int>]? {
        elements?.map { $0.lowerBound + markCount..<$0.upperBound + markCount }
    }

    /// That of the bracket before the rows, in the bytes of the document.
    package var listStart: Int? { list.map { $0.lowerBound + markCount } }

    /// Does not read the document again.
    package func selecting(_ list: String) throws(FileError) -> JSONRows {
        guard list != path else { return self }
        guard let part = listParts.first(where: { $0.path == list }) else {
            throw FileError(.noRows(at: list, lists: lists), at: .start)
        }
        var rows = self
        (rows.path, rows.listParts) = (list, [])
        do { try rows.add(elements: part.elements) } catch {
            throw FileError(error, in: parts.bytes)
        }
        return rows
    }

    private mutating func addRows(
        of documents: [Part],
        at path: String
    ) throws(JSONSyntaxError) -> Bool {
        guard let document = documents.first else { return false }
        guard let part = try part(of: document, at: path[...]) else {
            if parts.isObject(document) {
                listParts = try findLists(in: document, below: "", depth: 1)
            }
            return false
        }
        try addRows(of: part)
        self.path = self.path.isEmpty ? path : "\(path).\(self.path)"
        listParts = listParts.map { ("\(path).\($0.path)", $0.elements) }
        return true
    }

    /// A member name may contain dots.
    private func part(of value: Part, at path: Substring) throws(JSONSyntaxError) -> Part? {
        guard !path.isEmpty else { return value }
        guard parts.isObject(value) else { return nil }
        for (name, member) in try parts.members(of: value) where path.hasPrefix(name) {
            let rest = path.dropFirst(name.count)
            guard rest.isEmpty || rest.first == "." else { continue }
            if let part = try part(of: member, at: rest.dropFirst()) { return part }
        }
        return nil
    }

    private typealias Part = JSONParts.Part

    // MARK: - Rows

    private mutating func addRows(of document: Part) throws(JSONSyntaxError) {
        if parts.isArray(document) {
            let elements = try parts.elements(of: document)
            (list, self.elements) = (document, elements)
            return try add(elements: elements)
        }
        guard parts.isObject(document) else { return try add(elements: [document]) }
        let all = try parts.members(of: document)
        let type = all.first { $0.name == "type" }.map { parts.text($0.value) }
        if type == "\"FeatureCollection\"", let list = all.first(where: { $0.name == "features" }) {
            path = list.name
            for feature in try parts.elements(of: list.value) { try addFeature(feature) }
            return
        }
        if type == "\"Topology\"", let objects = all.first(where: { $0.name == "objects" }) {
            return try addTopology(objects.value)
        }
        if let data = try tableData(all) {
            let elements = try parts.elements(of: data)
            (path, list) = ("data", data)
            if let rows = try JSONFrame.rows(of: elements, in: parts) {
                return add(rows)
            }
            self.elements = elements
            return try add(elements: elements)
        }
        let shape = try JSONFrame.shape(of: all, in: parts)
        if let frame = try JSONFrame(all, shape, in: parts) {
            (path, self.shape) = (shape == nil ? "data" : "", shape)
            return add(frame.rows)
        }
        let lists = try findLists(in: document, below: "", depth: 1)
        guard lists.count < 2 else {
            listParts = lists
            return
        }
        if let list = lists.first {
            (path, elements) = (list.path, list.elements)
            self.list = all.first { $0.name == list.path }?.value
            return try add(elements: list.elements)
        }
        let arrays = all.filter { parts.isArray($0.value) }
        // The only array has the rows, also if there are none.
        if arrays.count == 1, try parts.elements(of: arrays[0].value).isEmpty {
            (path, list, elements) = (arrays[0].name, arrays[0].value, [])
            return
        }
        if try addColumns(all) { return }
        self.shape = shape
        let areObjects = all.allSatisfy { parts.isObject($0.value) }
        if all.count > 1 || areObjects, JSONFrame.count(all.map(\.name)) {
            return try add(elements: all.map(\.value))
        }
        guard all.count > 1, areObjects else {
            isSingleObject = true
            return add(object: parts.text(document))
        }
        for (key, value) in all { try add(object: value, under: key) }
    }

    /// The rows of a Table Schema, such as that of pandas.
    private func tableData(_ members: [JSONParts.Member]) throws(JSONSyntaxError) -> Part? {
        guard members.count == 2, let data = members.first(where: { $0.name == "data" })?.value,
            let schema = members.first(where: { $0.name == "schema" })?.value,
            parts.isArray(data), parts.isObject(schema)
        else { return nil }
        let hasFields = try parts.members(of: schema).contains {
            $0.name == "fields" && parts.isArray($0.value)
        }
        return hasFields ? data : nil
    }

    private func findLists(
        in object: Part,
        below path: String,
        depth: Int
    ) throws(JSONSyntaxError) -> [(path: String, elements: [Part])] {
        var lists: [(path: String, elements: [Part])] = []
        for (name, value) in try parts.members(of: object) {
            let memberPath = path.isEmpty ? name : "\(path).\(name)"
            if parts.isArray(value) {
                let elements = try parts.elements(of: value)
                guard !elements.isEmpty, elements.allSatisfy(parts.isObject) else { continue }
                lists.append((memberPath, elements))
            } else if parts.isObject(value), depth < Self.maximumListDepth {
                lists += try findLists(in: value, below: memberPath, depth: depth + 1)
            }
        }
        return lists
    }

    private mutating func add(elements: [Part]) throws(JSONSyntaxError) {
        guard !elements.allSatisfy(parts.isObject) else {
            for element in elements { add(object: parts.text(element)) }
            return
        }
        guard elements.allSatisfy(parts.isArray) else {
            self.elements = nil
            for element in elements { add([("value", parts.text(element))]) }
            return
        }
        areArrays = true
        var rows: [[Part]] = []
        for element in elements { rows.append(try parts.elements(of: element)) }
        // Rows of texts, some of which are missing, have no header.
        let isHeader = rows[0].allSatisfy(parts.isText)
        let names: [String]
        if isHeader,
            rows.dropFirst().contains(where: {
                !$0.allSatisfy { parts.isText($0) || parts.isMissing($0) }
            })
        {
            names = rows.removeFirst().map { parts.text($0) }
            self.elements?.removeFirst()
        } else {
            names = (1...max(1, rows.map(\.count).max() ?? 1)).map { "\"column_\($0)\"" }
        }
        for row in rows {
            let members = row.enumerated().map { index, value in
                let name = index < names.count ? names[index] : "\"column_\(index + 1)\""
                return "\(name):\(parts.text(value))"
            }
            add(object: "{\(members.joined(separator: ","))}")
        }
    }

    private mutating func addColumns(
        _ members: [(name: String, value: Part)]
    ) throws(JSONSyntaxError) -> Bool {
        guard members.count > 1, members.allSatisfy({ parts.isArray($0.value) }) else {
            return false
        }
        var columns: [[Part]] = []
        for member in members { columns.append(try parts.elements(of: member.value)) }
        guard let count = columns.first?.count, count > 0,
            columns.allSatisfy({ $0.count == count })
        else { return false }
        for row in 0..<count {
            add(zip(members, columns).map { ($0.name, parts.text($1[row])) })
        }
        return true
    }

    /// Adds an object with its key as the column `id`, or `key` where it has an id of its own.
    private mutating func add(object: Part, under key: String) throws(JSONSyntaxError) {
        let members = try parts.members(of: object)
        let name = members.contains { $0.name == "id" } ? "key" : "id"
        add([(name, JSONText.quoted(key))] + members.map { ($0.name, parts.text($0.value)) })
    }

    /// Adds a feature of GeoJSON (RFC 7946): its id, its properties and its geometry.
    private mutating func addFeature(_ feature: Part) throws(JSONSyntaxError) {
        guard parts.isObject(feature) else { return add([("value", parts.text(feature))]) }
        add(try flattened(feature, without: "type", besides: ["id", "geometry", "bbox"]))
    }

    /// The members of an object with those of its properties, whose names are longer if another
    /// member has them.
    private func flattened(
        _ object: Part,
        without omitted: String,
        besides taken: Set<String>
    ) throws(JSONSyntaxError) -> [(String, String)] {
        var row: [(String, String)] = []
        for (name, value) in try parts.members(of: object) where name != omitted {
            guard name == "properties", parts.isObject(value) else {
                row.append((name, parts.text(value)))
                continue
            }
            for (property, value) in try parts.members(of: value) {
                let isTaken = taken.contains(property)
                row.append((isTaken ? "properties.\(property)" : property, parts.text(value)))
            }
        }
        return row
    }

    /// Adds the geometries of the objects of a topology, without their arcs.
    private mutating func addTopology(_ objects: Part) throws(JSONSyntaxError) {
        path = "objects"
        for (name, object) in try parts.members(of: objects) where parts.isObject(object) {
            let members = try parts.members(of: object)
            let list = members.first { $0.name == "geometries" && parts.isArray($0.value) }
            for geometry in try list.map({ list throws(JSONSyntaxError) in
                try parts.elements(of: list.value)
            }) ?? [object] {
                add(
                    [("object", JSONText.quoted(name))]
                        + (try flattened(
                            geometry,
                            without: "arcs",
                            besides: ["object", "type", "id"]
                        ))
                )
            }
        }
    }

    // MARK: - Lines

    private mutating func add(_ rows: [[(String, String)]]) { for row in rows { add(row) } }

    private mutating func add(_ members: [(String, String)]) {
        let texts = members.map { "\(JSONText.quoted($0)):\($1)" }
        add(object: "{\(texts.joined(separator: ","))}")
    }

    /// Adds a line; the text is valid JSON, which may have line breaks between its tokens.
    private mutating func add(object text: String) {
        lines += (JSONText.compact(text) ?? text).utf8
        lines.append(UInt8(ascii: "\n"))
    }
}

extension JSONReader.Layout {
    /// Nil for a document that must be read whole (``JSONRows``).
    package static func detect(in sample: borrowing Span<UInt8>, isNDJSON: Bool) -> Self? {
        let lines = firstLines(of: sample)
        guard let first = lines.first, let start = first.first, let end = first.last else {
            return isNDJSON ? .lines : .array
        }
        if start == UInt8(ascii: "{") {
            if isNDJSON {
                let isPart = "{[,".utf8.contains(end) && first.count < sample.count
                return isPart || hasSeveralValues(first) ? nil : .lines
            }
            let isSecond = lines.count > 1 && lines[1].first == UInt8(ascii: "{")
            return end == UInt8(ascii: "}") && isSecond ? .lines : nil
        }
        guard start == UInt8(ascii: "[") else { return isNDJSON ? .lines : nil }
        guard !isNDJSON else { return nil }
        let next = first.dropFirst().first { $0 > 0x20 } ?? lines.dropFirst().first?.first
        guard let next else { return .array }
        return next == UInt8(ascii: "{") || next == UInt8(ascii: "]") ? .array : nil
    }

    private static func hasSeveralValues(_ line: [UInt8]) -> Bool {
        var (depth, isText, isEscaped) = (0, false, false)
        for (index, byte) in line.enumerated() {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "{") where !isText: depth += 1
            case UInt8(ascii: "}") where !isText:
                depth -= 1
                if depth == 0 {
                    return line[(index + 1)...].first { $0 > 0x20 } == UInt8(ascii: "{")
                }
            default: break
            }
        }
        return false
    }

    private static func firstLines(of sample: borrowing Span<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for index in 0...sample.count {
            let byte = index < sample.count ? sample[index] : UInt8(ascii: "\n")
            guard byte == UInt8(ascii: "\n") else {
                let isMark = index < 3 && ByteOrderMark.bytes[index] == byte
                if !line.isEmpty || byte > 0x20, !isMark { line.append(byte) }
                continue
            }
            while let last = line.last, last <= 0x20 { line.removeLast() }
            guard !line.isEmpty else { continue }
            lines.append(line)
            line = []
            if lines.count == 2 { break }
        }
        return lines
    }
}
