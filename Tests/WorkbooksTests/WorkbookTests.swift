import Archives
import TestSupport
import Testing
import Workbooks

@Suite("Workbooks of Office Open XML")
struct WorkbookTests {
    private func cell(_ xml: String, formats: [String] = [], strings: String = "") throws -> String
    {
        var writer = WorkbookWriter(rows: WorkbookWriter.row(["n"]) + "<row>\(xml)</row>")
        writer.formats = formats
        writer.strings = strings
        return try read(writer).rows.first?.first ?? ""
    }

    @Test(
        "values are read by the type of their cell",
        arguments: [
            ("<c><v>5</v></c>", "5"), ("<c t=\"n\"><v>-12</v></c>", "-12"),
            ("<c><v>0.10000000000000001</v></c>", "0.1"), ("<c><v>1E2</v></c>", "100"),
            ("<c><v>3.3000000000000003</v></c>", "3.3000000000000003"),
            ("<c><v>9007199254740993</v></c>", "9007199254740993"),
            ("<c><v>1e+20</v></c>", "1e+20"), ("<c><v>-0</v></c>", "0"),
            ("<c><v>007</v></c>", "7"),
            ("<c t=\"str\"><f>A1&amp;B1</f><v>a&amp;b</v></c>", "'a&b'"),
            ("<c><f>1+1</f><v>2</v></c>", "2"), ("<c><f>1+1</f></c>", ""),
            ("<c t=\"b\"><v>1</v></c>", "true"), ("<c t=\"b\"><v>0</v></c>", "false"),
            ("<c t=\"e\"><v>#N/A</v></c>", ""),
            ("<c t=\"d\"><v>2024-01-02</v></c>", "'2024-01-02'"),
            ("<c t=\"inlineStr\"><is><t>00123</t></is></c>", "'00123'"),
            ("<c t=\"inlineStr\"><is><r><t>a </t></r><r><t>b</t></r></is></c>", "'a b'"),
            ("<c t=\"inlineStr\"><is><t>a</t><rPh><t>x</t></rPh></is><v>y</v></c>", "'a'"),
            ("<c t=\"inlineStr\"><is><t><![CDATA[<b>]]></t></is></c>", "'<b>'"),
            ("<c t=\"str\"><v></v></c>", ""), ("<c/>", ""),
            ("<x:c><x:v>5</x:v></x:c>", "5"),
        ]
    )
    func values(xml: String, expected: String) throws {
        let xml = xml.contains("x:") ? "<x:c xmlns:x=\"u\">" + xml.dropFirst(5) : xml
        // A row without values is none.
        #expect(try cell(xml) == expected)
    }

    @Test(
        "dates follow from the format of the number",
        arguments: [
            ("yyyy-mm-dd", "45293", "'2024-01-02'"),
            ("m/d/yy h:mm", "45293.5", "'2024-01-02T12:00:00'"),
            ("dd. mmmm yyyy", "1", "'1900-01-01'"), ("d", "59", "'1900-02-28'"),
            ("d", "61", "'1900-03-01'"), ("d", "60", "60"), ("d", "2958465", "'9999-12-31'"),
            ("d", "2958466", "2958466"), ("d", "-1", "'1899-12-29'"), ("d", "0", "0"),
            ("yyyy-mm-dd", "45293.25", "'2024-01-02T06:00:00'"),
            ("h:mm", "0.75", "'18:00:00'"), ("h:mm", "45293.75", "'2024-01-02T18:00:00'"),
            ("h:mm:ss.000", "0.00001", "'00:00:00.864'"), ("[h]:mm", "1.5", "'36:00:00'"),
            ("[mm]:ss", "0.0416666667", "'01:00:00'"), ("mm:ss", "0.5", "'12:00:00'"),
            ("yyyy", "45293.999999999", "'2024-01-03'"),
            ("h", "44927.999988425923", "'2023-01-01T23:59:59'"),
            ("0.00", "5", "5"), ("General", "5", "5"), ("@", "5", "5"), ("[Red]0", "5", "5"),
            ("0 \"days\"", "5", "5"), ("0\\d", "5", "5"), ("#,##0_d", "5", "5"),
            ("[$-409]d-mmm", "45293", "'2024-01-02'"), ("0;yyyy", "5", "5"), ("0.00E+00", "5", "5"),
        ]
    )
    func dates(format: String, number: String, expected: String) throws {
        let code = format.replacing("\"", with: "&quot;")
        #expect(try cell("<c s=\"1\"><v>\(number)</v></c>", formats: [code]) == expected)
    }

    @Test("the parts of a workbook may stand in no folder")
    func root() throws {
        let rows = WorkbookWriter.row(["a"]) + WorkbookWriter.row(["x"])
        let entries = WorkbookWriter(rows: rows).files.map { path, xml in
            ZipWriter.Entry(path.replacing("xl/", with: ""), xml.replacing("xl/", with: ""))
        }
        let source = ByteSource(ZipWriter(entries).bytes)
        #expect(Workbook.isWorkbook(try ZipArchive(source)))
        let workbook = try Workbook(source)
        #expect(try read(workbook, workbook.sheets[0]).rows == [["'x'"]])
    }

    @Test("days count from 1904 where the workbook says so")
    func macintosh() throws {
        var writer = WorkbookWriter(
            rows: WorkbookWriter.row(["a", "b"])
                + "<row><c s=\"1\"><v>0</v></c><c s=\"1\"><v>43831</v></c></row>"
        )
        writer.formats = ["yyyy-mm-dd"]
        writer.properties = "date1904=\"1\""
        #expect(try read(writer).rows == [["'1904-01-01'", "'2024-01-02'"]])
        // Excel writes an element of an extension with the same name.
        writer.properties += "/><x:workbookPr xmlns:x=\"x\" chartTrackingRefBase=\"1\""
        #expect(try read(writer).rows == [["'1904-01-01'", "'2024-01-02'"]])
    }

    @Test(
        "built-in formats need no code",
        arguments: [
            (14, "'2024-01-02'"), (22, "'2024-01-02T00:00:00'"), (46, "'1087032:00:00'"),
            (1, "45293"),
        ]
    )
    func builtin(id: Int, expected: String) throws {
        var writer = WorkbookWriter(
            rows: WorkbookWriter.row(["n"]) + "<row><c s=\"1\"><v>45293</v></c></row>"
        )
        writer.parts["xl/styles.xml"] =
            "<styleSheet><cellStyleXfs><xf numFmtId=\"22\"/></cellStyleXfs><cellXfs>"
            + "<xf numFmtId=\"0\"/><xf numFmtId=\"\(id)\"/></cellXfs></styleSheet>"
        #expect(try read(writer).rows == [[expected]])
    }

    @Test(
        "shared texts are joined, without their pronunciation",
        arguments: [
            ("<si><t>a</t></si>", "'a'"), ("<si><r><t>a</t></r><r><t> b</t></r></si>", "'a b'"),
            ("<si><t>課</t><rPh sb=\"0\" eb=\"1\"><t>カ</t></rPh></si>", "'課'"), ("<si/>", ""),
            ("<si><t>a_x000D__x000a_b</t></si>", "'a\r\nb'"),
            ("<si><t>_x005F_x000D_</t></si>", "'_x000D_'"),
            ("<si><t>_x0000_ _xyz _x00e9_</t></si>", "'_x0000_ _xyz é'"),
        ]
    )
    func sharedStrings(item: String, expected: String) throws {
        let strings = "<si><t>first</t></si>" + item
        #expect(try cell("<c t=\"s\"><v>1</v></c>", strings: strings) == expected)
    }

    @Test("sheets keep their order, and hidden ones their state")
    func sheets() throws {
        var writer = WorkbookWriter([
            .init("Zoë &amp; Co", rows: WorkbookWriter.row(["a"])),
            .init("Empty", rows: "<row><c/></row>"),
            .init("Secret", rows: WorkbookWriter.row(["b"])),
        ])
        writer.sheets[2].attributes = "state=\"veryHidden\""
        let workbook = try Workbook(ByteSource(writer.bytes))
        #expect(workbook.sheets.map(\.name) == ["Zoë & Co", "Empty", "Secret"])
        #expect(workbook.sheets.map(\.state) == [.visible, .visible, .hidden])
        #expect(try workbook.sheets.map { try workbook.isEmpty($0) } == [false, true, false])
    }

    @Test("strict documents and other prefixes are read alike")
    func strict() throws {
        var writer = WorkbookWriter(rows: "")
        let main = "http://purl.oclc.org/ooxml/spreadsheetml/main"
        let types = "http://purl.oclc.org/ooxml/officeDocument/relationships"
        writer.parts["xl/workbook.xml"] =
            "<y:workbook xmlns:y=\"\(main)\" xmlns:q=\"\(types)\"><y:sheets><y:sheet name=\"A\" "
            + "sheetId=\"1\" q:id=\"x\"/></y:sheets></y:workbook>"
        writer.parts["xl/_rels/workbook.xml.rels"] =
            "<Relationships><Relationship Id=\"x\" Type=\"\(types)/worksheet\" "
            + "Target=\"/xl/../XL/worksheets/./Sheet1.xml\"/></Relationships>"
        writer.parts["xl/worksheets/sheet1.xml"] =
            "<y:worksheet xmlns:y=\"\(main)\"><y:sheetData><y:row><y:c t=\"inlineStr\"><y:is>"
            + "<y:t>n</y:t></y:is></y:c></y:row><y:row><y:c><y:v>5</y:v></y:c></y:row>"
            + "</y:sheetData></y:worksheet>"
        let contents = try read(writer)
        #expect(contents.columns == ["n"])
        #expect(contents.rows == [["5"]])
    }
}
