package struct WorkbookWriter {
    package struct Sheet {
        package var name: String
        /// Further attributes, such as `state="hidden"`.
        package var attributes = ""
        package var xml: String

        package init(_ name: String, rows: String, after: String = "") {
            self.name = name
            xml =
                "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">"
                + "<sheetData>\(rows)</sheetData>\(after)</worksheet>"
        }
    }

    /// The sheets, in the order of their tabs.
    package var sheets: [Sheet]
    package var strings = ""
    /// The codes of number formats, which cells name from 1 on.
    package var formats: [String] = []
    package var properties = ""
    package var parts: [String: String] = [:]

    package init(_ sheets: [Sheet]) { self.sheets = sheets }

    package init(rows: String) { sheets = [Sheet("Sheet1", rows: rows)] }

    package static func row(_ texts: [String?]) -> String {
        let cells = texts.map { text in
            text.map { "<c t=\"inlineStr\"><is><t>\($0)</t></is></c>" } ?? "<c/>"
        }
        return "<row>\(cells.joined())</row>"
    }

    package var files: [(String, String)] {
        let types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        func relation(_ id: String, _ kind: String, _ target: String) -> String {
            "<Relationship Id=\"\(id)\" Type=\"\(types)/\(kind)\" Target=\"\(target)\"/>"
        }
        var relations = relation("s", "sharedStrings", "sharedStrings.xml")
        relations += relation("f", "styles", "styles.xml")
        var list = ""
        var files: [(String, String)] = [
            ("[Content_Types].xml", "<Types/>"),
            (
                "_rels/.rels",
                "<Relationships>\(relation("r", "officeDocument", "xl/workbook.xml"))"
                    + "</Relationships>"
            ),
        ]
        for (number, sheet) in sheets.enumerated() {
            let target = "worksheets/sheet\(number + 1).xml"
            relations += relation("rId\(number)", "worksheet", target)
            list += "<sheet name=\"\(sheet.name)\" sheetId=\"\(number + 1)\" id=\"rId\(number)\" "
            list += "\(sheet.attributes)/>"
            files.append(("xl/" + target, sheet.xml))
        }
        let codes = formats.enumerated().map {
            "<numFmt numFmtId=\"\(164 + $0)\" formatCode=\"\($1)\"/>"
        }
        let cells = formats.indices.map { "<xf numFmtId=\"\(164 + $0)\"/>" }
        files += [
            ("xl/_rels/workbook.xml.rels", "<Relationships>\(relations)</Relationships>"),
            (
                "xl/workbook.xml",
                "<workbook><workbookPr \(properties)/><sheets>\(list)</sheets></workbook>"
            ),
            ("xl/sharedStrings.xml", "<sst>\(strings)</sst>"),
            (
                "xl/styles.xml",
                "<styleSheet><numFmts>\(codes.joined())</numFmts><cellXfs><xf numFmtId=\"0\"/>"
                    + "\(cells.joined())</cellXfs></styleSheet>"
            ),
        ]
        files.removeAll { parts[$0.0] != nil }
        return files + parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    package var bytes: [UInt8] {
        ZipWriter(files.map { ZipWriter.Entry($0.0, $0.1) }).bytes
    }
}
