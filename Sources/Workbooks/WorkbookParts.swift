import Bytes

/// A relation of a part to another one (ISO/IEC 29500-2).
struct Relation {
    let id: String
    /// The last component of the type: transitional and strict documents differ in the others.
    let kind: String
    /// Without a slash at the beginning.
    let target: String
}

final class RelationParts: XMLHandler {
    private let folder: Substring
    private(set) var relations: [Relation] = []

    init(of part: String) { folder = Self.folder(of: part) }

    static func path(for part: String) -> String {
        let folder = folder(of: part)
        return "\(folder)_rels/\(part.dropFirst(folder.count)).rels"
    }

    private static func folder(of part: String) -> Substring {
        part.lastIndex(of: "/").map { part[...$0] } ?? ""
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        guard name == "Relationship", let id = attributes["Id"], let type = attributes["Type"],
            let target = attributes["Target"], attributes["TargetMode"] != "External"
        else { return }
        let kind = type.split(separator: "/").last.map(String.init) ?? ""
        relations.append(Relation(id: id, kind: kind, target: resolve(target)))
    }

    private func resolve(_ target: String) -> String {
        let target = target.replacing("\\", with: "/")
        var components: [Substring] = []
        let path = target.hasPrefix("/") ? target : folder + target
        for component in path.split(separator: "/") where component != "." {
            if component == ".." { _ = components.popLast() } else { components.append(component) }
        }
        return components.joined(separator: "/")
    }
}

final class WorkbookPart: XMLHandler {
    private let relations: [String: Relation]
    private(set) var sheets: [Workbook.Sheet] = []
    private(set) var startsIn1904 = false
    private(set) var isWorkbook = false
    /// Whether Roster wrote the workbook; other programs enter their own name.
    private(set) var isExport = false

    init(_ relations: [Relation]) {
        self.relations = Dictionary(relations.map { ($0.id, $0) }) { first, _ in first }
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        switch name {
        case "workbook": isWorkbook = true
        case "fileVersion": isExport = attributes["appName"] == "roster"
        case "workbookPr":
            // Extensions of the format have elements of this name too, without the attribute.
            guard let value = attributes["date1904"] else { return }
            startsIn1904 = value == "1" || value == "true"
        case "sheet":
            guard let name = attributes["name"], let id = attributes["id"] else { return }
            guard let relation = relations[id] else { throw .missingPart("\(name) (\(id))") }
            let isShown = attributes["state"].map { $0 == "visible" } ?? true
            sheets.append(
                Workbook.Sheet(
                    name: name,
                    state: relation.kind != "worksheet" ? .chart : isShown ? .visible : .hidden,
                    part: relation.target
                )
            )
        default: break
        }
    }
}

/// The properties of a workbook in which an export describes its columns (ISO/IEC 29500-1 §22.3).
final class ColumnProperties: XMLHandler {
    /// By the names of the columns.
    private(set) var columns: [String: String] = [:]
    private var value = ByteBuffer()
    private var isValue = false

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        value.removeAll()
        isValue = name == "lpwstr"
    }

    func end(_ name: String) throws(WorkbookError) {
        guard isValue, name == "lpwstr" else { return }
        isValue = false
        XMLEscape.decode(&value, from: 0)
        let parts = value.withBytes { $0.text }.split(separator: "\n", maxSplits: 1)
        if parts.count == 2 { columns[String(parts[1])] = String(parts[0]) }
    }

    func text(_ utf8: borrowing Span<UInt8>) throws(WorkbookError) {
        if isValue { value.append(utf8) }
    }
}

final class ValueSearch: XMLHandler {
    private(set) var isFound = false
    private var isValue = false

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        isValue = name == "v" || name == "t"
    }

    func end(_ name: String) throws(WorkbookError) { isValue = false }

    func text(_ utf8: borrowing Span<UInt8>) throws(WorkbookError) { if isValue { isFound = true } }
}
