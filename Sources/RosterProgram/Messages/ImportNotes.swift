import Database
import ListAPI
import Listings
import SQLite
import TableFiles

extension ListImporter.Outcome {
    func notices(on path: String) -> [String] {
        var notices = notes(on: path)
        if isImported {
            notices.append("\(list.name): imported \(list.rowCount) rows from \(path)")
        }
        if isWritten {
            notices.append(
                "\(list.name): its rows have been changed, so \(path) is not imported again"
            )
        }
        return notices
    }

    func notes(on path: String) -> [String] {
        var notes: [String] = []
        if let form = findings.form { notes.append("\(path): \(form)") }
        if findings.dialect?.hasFixedWidth == true {
            let stem = path.lastIndex(of: ".").map { path[..<$0] } ?? path[...]
            let command = ForeignFormat.python(
                "pandas",
                "pandas.read_fwf(argv[1]).to_csv(argv[2], index=False)",
                path,
                "\(stem)-converted.csv"
            )
            notes.append(
                "\(path): its columns of fixed width are read as one; convert them by: \(command)"
            )
        }
        if let doubt = findings.headerDoubt { notes.append("\(path): \(doubt.text)") }
        notes += findings.repairs.counts.map { "\(path): \($0.text)" }
        if let error = findings.numbered {
            notes.append(
                "\(path):\(error.location): \(error.reason.text); the rows are numbered instead"
            )
        }
        notes += (plan?.omittedNames ?? []).map { name, source in
            "\(path): column '\(name)' is left out, because an export writes it"
                + (source.map { " from '\($0)'" } ?? " to number the rows")
        }
        // Without a header, all columns are named by their places.
        let isNamed = findings.dialect?.hasHeader ?? true
        notes += (plan?.renames ?? []).filter { isNamed || !$0.name.isEmpty }.map { rename in
            rename.name.isEmpty
                ? "\(list.name): a column without a name is listed as '\(rename.id)'"
                : "\(list.name): column '\(rename.name)' is listed as '\(rename.id)'"
                    + (rename.name.lowercased() == "id" && findings.numbered != nil
                        ? ", because 'id' is the number of the row" : "")
        }
        notes += (plan?.spellings ?? []).map { "\(list.name): \($0.text(of: list.name))" }
        notes += findings.respellings.sorted { $0.key < $1.key }.compactMap { position, found in
            guard let column = plan?.columns[position].id else { return nil }
            return "\(list.name): \(column): CSV exports spell \(found.count) values otherwise, as "
                + "'\(found.exported)' for '\(found.text)'"
        }
        notes += (plan?.exceptions ?? []).map {
            "\(list.name): \($0.text(of: FileFormat(path: path)))"
        }
        return notes
    }
}

extension FileFindings {
    /// The form of the file, such as `semicolon, Windows-1252, header on line 4`; nil for the usual
    /// one.
    fileprivate var form: String? {
        var parts: [String] = []
        if let dialect {
            switch dialect.separator {
            case _ where dialect.hasFixedWidth: break
            case UInt8(ascii: ","): parts.append("comma")
            case UInt8(ascii: ";"): parts.append("semicolon")
            case UInt8(ascii: "\t"): parts.append("tab")
            case UInt8(ascii: " "): parts.append("space")
            case DelimitedDialect.noSeparator: parts.append("one column")
            default: parts.append("'\(Character(Unicode.Scalar(dialect.separator)))'")
            }
            if dialect.hasRowNames { parts.append("no name for the first column") }
            if dialect.quote == UInt8(ascii: "'") { parts.append("single quotes") }
            if dialect.hasEscapes { parts.append("backslash escapes") }
            if !dialect.hasHeader { parts.append("no header") }
            if dialect.hasPaddedQuotes { parts.append("blanks before quotation marks") }
            if dialect.skippedLines > 0 {
                let noun = dialect.hasHeader ? "header" : "first row"
                parts.append("\(noun) on line \(dialect.skippedLines + 1)")
            }
            if dialect.hasDecimalComma { parts.append("decimal comma") }
        }
        if encoding != .utf8 {
            let advice = isEncodingGuessed ? " by its letters (--encoding names another)" : ""
            parts.append(encoding.name + advice)
        }
        if invalidCharacters > 0 {
            parts.append("bytes that are no character: \(invalidCharacters), read as U+FFFD")
        }
        if let rows, !rows.isEmpty { parts.append("rows of '\(rows)'") }
        switch jsonShape {
        case .columns: parts.append("its members are columns")
        case .undecided: parts.append("read row by row, although its members might be columns")
        case nil: break
        }
        if let sheet {
            if let row = sheet.headerRow, sheet.skippedRows > 0 {
                parts.append("header in row \(row)")
            }
            if sheet.errorCount > 0 {
                parts.append(
                    "errors such as #N/A: \(sheet.errorCount), read as missing values"
                )
            }
            if sheet.unsolvedCount > 0 {
                parts.append(
                    "formulas without a saved result: \(sheet.unsolvedCount), read as missing values;"
                        + " a spreadsheet that opens and saves the file adds the results"
                )
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension HeaderDoubt {
    fileprivate var text: String {
        let reason =
            switch self {
            case .repeatedValue(let name): "'\(name)' is also a value of its column"
            case .emptyName: "one of them is empty"
            case .numbers: "they are numbers"
            }
        return "the first line names the columns, although \(reason); --header no makes it a row"
    }
}

extension FileRepairs.Count {
    /// The note, such as `blank lines: 3, the first at 7:1; skipped`.
    fileprivate var text: String {
        "\(kind.text): \(count), the first at \(first); \(kind.correction)"
    }
}
