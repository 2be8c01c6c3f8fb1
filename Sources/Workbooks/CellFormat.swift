enum CellFormat: Hashable {
    case number
    case date
    case time
    case dateTime
    /// A date and a time in UTC, as the letter Z behind them says.
    case instant
    case duration
    /// A number with at least so many decimals.
    case decimals(Int)

    /// Formats 27 to 36 and 50 to 58 are those of East Asian editions.
    init(builtin id: Int) {
        switch id {
        case 14...17, 27...31, 36, 50...54, 57, 58: self = .date
        case 18...21, 32...35, 45, 47, 55, 56: self = .time
        case 22: self = .dateTime
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
        var isUTC = false
        var characters = code.lowercased()[...]
        scan: while let character = characters.popFirst() {
            switch character {
            case ";": break scan
            // A literal character, or one that gives a width.
            case "\\", "_", "*": _ = characters.popFirst()
            case "\"":
                let literal = characters.prefix { $0 != "\"" }
                characters = characters.dropFirst(literal.count + 1)
                isUTC = literal == "z"
            case "[":
                let part = characters.prefix { $0 != "]" }
                characters = characters.dropFirst(part.count + 1)
                if let first = part.first, "hms".contains(first), part.allSatisfy({ $0 == first }) {
                    isDuration = true
                }
            // General is a name, in which no letter stands for a part of a date.
            case "g" where characters.hasPrefix("eneral"): characters = characters.dropFirst(6)
            default: letters.insert(character)
            }
        }
        let hasTime = letters.contains("h") || letters.contains("s")
        let hasDate =
            letters.contains("y") || letters.contains("d") || letters.contains("m") && !hasTime
        if isDuration {
            self = .duration
        } else if hasDate {
            self = !hasTime ? .date : isUTC ? .instant : .dateTime
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
