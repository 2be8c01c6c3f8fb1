import Bytes
import Listings

enum XLSXParts {
    static let relations: StaticString = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">\
        <Relationship Id="rId1" Target="xl/workbook.xml" Type=\
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>\
        <Relationship Id="rId2" Target="docProps/custom.xml" Type=\
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties"/>\
        </Relationships>
        """

    /// The start of a sheet, whose first row stays in view.
    static let sheetStart: StaticString = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>\
        <sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" \
        state="frozen"/></sheetView></sheetViews>
        """

    static let styles: String = {
        let codes = SheetWriter.Style.codes.enumerated()
        let formats = codes.compactMap { number, code in
            code.map { "<numFmt numFmtId=\"\(164 + number)\" formatCode=\"\($0)\"/>" }
        }
        let cells = codes.map { number, code in
            let format = code == nil ? 0 : 164 + number
            let isHeader = number == SheetWriter.Style.header.number
            return "<xf numFmtId=\"\(format)\" fontId=\"\(isHeader ? 1 : 0)\" fillId=\"0\""
                + " borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\" applyFont=\"1\"/>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">\
            <numFmts count="\(formats.count)">\(formats.joined())</numFmts>\
            <fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
            <font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
            <fills count="2"><fill><patternFill patternType="none"/></fill>\
            <fill><patternFill patternType="gray125"/></fill></fills>\
            <borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
            <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>\
            </cellStyleXfs><cellXfs count="\(cells.count)">\(cells.joined())</cellXfs>\
            <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>\
            </styleSheet>
            """
    }()

    static func workbook(_ names: [String], to buffer: inout ByteBuffer) {
        buffer.append(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r=\
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships">\
            <fileVersion appName="roster"/><bookViews><workbookView/></bookViews><sheets>
            """ as StaticString
        )
        for (index, name) in names.enumerated() {
            buffer.append("<sheet name=\"" as StaticString)
            XMLText.escape(name.utf8.span, to: &buffer)
            buffer.append("\" sheetId=\"\(index + 1)\" r:id=\"rId\(index + 1)\"/>")
        }
        buffer.append("</sheets></workbook>" as StaticString)
    }

    /// Describes each column, so that an import finds the same list again (ISO/IEC 29500-1 §22.3).
    static func properties(
        _ columns: [(name: String, form: ColumnForm)],
        to buffer: inout ByteBuffer
    ) {
        buffer.append(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <Properties xmlns=\
            "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt=\
            "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">
            """ as StaticString
        )
        for (index, column) in columns.enumerated() {
            buffer.append(
                "<property fmtid=\"{D5CDD505-2E9C-101B-9397-08002B2CF9AE}\" pid=\"\(index + 2)\""
                    + " name=\"Column \(index + 1)\"><vt:lpwstr>"
            )
            XMLText.escape("\(column.form.text)\n\(column.name)".utf8.span, to: &buffer)
            buffer.append("</vt:lpwstr></property>" as StaticString)
        }
        buffer.append("</Properties>" as StaticString)
    }

    static func relations(ofSheets count: Int, to buffer: inout ByteBuffer) {
        let base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        buffer.append(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
            """ as StaticString
        )
        for number in 1...count {
            buffer.append(
                "<Relationship Id=\"rId\(number)\" Target=\"worksheets/sheet\(number).xml\""
                    + " Type=\"\(base)/worksheet\"/>"
            )
        }
        buffer.append(
            "<Relationship Id=\"rId\(count + 1)\" Target=\"styles.xml\" Type=\"\(base)/styles\"/>"
                + "</Relationships>"
        )
    }

    static func contentTypes(ofSheets count: Int, to buffer: inout ByteBuffer) {
        let base = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        func part(_ name: String, _ type: String) -> String {
            "<Override PartName=\"/xl/\(name).xml\" ContentType=\"\(base).\(type)+xml\"/>"
        }
        buffer.append(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
            <Default Extension="rels" ContentType=\
            "application/vnd.openxmlformats-package.relationships+xml"/>\
            <Default Extension="xml" ContentType="application/xml"/>
            """ as StaticString
        )
        buffer.append(part("workbook", "sheet.main") + part("styles", "styles"))
        buffer.append(
            "<Override PartName=\"/docProps/custom.xml\" ContentType=\""
                + "application/vnd.openxmlformats-officedocument.custom-properties+xml\"/>"
        )
        for number in 1...count {
            buffer.append(part("worksheets/sheet\(number)", "worksheet"))
        }
        buffer.append("</Types>" as StaticString)
    }
}
