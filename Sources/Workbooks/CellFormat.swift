enum CellFormat: Hashable {
    case number
    case date
    case time
    case dateTime(Parts)
    case duration
    /// A number with at least so many decimals.
    case decimals(Int)

    /// The parts that the formats of exports distinguish.
    struct Parts: Hashable {
        /// Whether the time is in UTC, as the letter Z behind it says.
        var isUTC = false
        /// Whether an escaped blank stands before the time, which is the letter T otherwise.
        var hasBlank = false
        var hasSeconds = true
        /// The decimals of a second.
        var decimals = 0

        /// A date and a time as the list of the export has it.
        func text(_ iso: String) -> String {
            let text = hasBlank ? iso.replacing("T", with: " ") : iso
            let fraction = text.dropFirst(20).prefix { $0 != "Z" }
            let zeros = String(repeating: "0", count: max(0, decimals - fraction.count))
            return text.prefix(hasSeconds ? 19 : 16) + (decimals > 0 ? "." + fraction + zeros : "")
                + (isUTC ? "Z" : "")
        }
    }

    /// Formats 27 to 36 and 50 to 58 are those of East Asian editions.
    init(builtin id: Int) {
        switch id {
        case 14...17, 27...31, 36, 50...54, 57, 58: self = .date
        case 18...21, 32...35, 45, 47, 55, 56: self = .time
        case 22: self = .dateTime(Parts())
        case 46: self = .duration
        default: self = .number
        }
    }

    /// The code is like `yyyy-mm-dd` or `[Red]0.00`.
    init(code: String) {
        let zeros = code.dropFirst(2)
        if code.hasPrefix("0."), !zeros.isEmpty, zeros.allSatisfy({ $0 == "0" }) {
            self = .decimals(zeros.count)
            return
        }
        var letters: Set<Character> = []
        var isDuration = false
        var parts = Parts()
        var characters = code.lowercased()[...]
        scan: while let character = characters.popFirst() {
            switch character {
            case ";": break scan
            // A literal character, or one that gives a width.
            case "\\", "_", "*":
                if characters.popFirst() == " ", character == "\\" { parts.hasBlank = true }
            case "\"":
                let literal = characters.prefix { $0 != "\"" }
                characters = characters.dropFirst(literal.count + 1)
                if literal == "z" { parts.isUTC = true }
            case "[":
                let part = characters.prefix { $0 != "]" }
                characters = characters.dropFirst(part.count + 1)
                if let first = part.first, "hms".contains(first), part.allSatisfy({ $0 == first }) {
                    isDuration = true
                }
            // General is a name, in which no letter stands for a part of a date.
            case "g" where characters.hasPrefix("eneral"): characters = characters.dropFirst(6)
            case "0": parts.decimals += 1
            default: letters.insert(character)
            }
        }
        let hasTime = letters.contains("h") || letters.contains("s")
        let hasDate =
            letters.contains("y") || letters.contains("d") || letters.contains("m") && !hasTime
        if isDuration {
            self = .duration
        } else if hasDate {
            parts.hasSeconds = letters.contains("s")
            self = hasTime ? .dateTime(parts) : .date
        } else {
            self = hasTime ? .time : .number
        }
    }
}

final class CellFormats: XMLHandler {
    private var codes: [Int: CellFormat] = [:]
    private var formats: [CellFormat] = []
    private var section = ""

    /// A workbook without styles has format 0 only.
    subscript(_ number: Int) -> CellFormat? {
        formats.isEmpty && number == 0
            ? .number : formats.indices.contains(number) ? formats[number] : nil
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        switch name {
        case "numFmts", "cellXfs", "cellStyleXfs", "dxfs": section = name
        case "numFmt" where section == "numFmts":
            guard let id = attributes["numFmtId"].flatMap({ Int($0) }),
                let code = attributes["formatCode"]
            else { return }
            codes[id] = CellFormat(code: code)
        case "xf" where section == "cellXfs":
            let id = attributes["numFmtId"].flatMap { Int($0) } ?? 0
            formats.append(codes[id] ?? CellFormat(builtin: id))
        default: break
        }
    }

    func end(_ name: String) throws(WorkbookError) { if name == section { section = "" } }
}
