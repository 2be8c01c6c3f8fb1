import Bytes
import Listings
import Rendering
import Testing

@Suite("Controls of fields")
struct FieldControlTests {
    private func html(_ column: Column, _ text: String = "", isRequired: Bool = false) -> String {
        var form = FormDocument(.edit, list: "L", listAddress: "/l", row: nil, address: "/l/1")
        var field = FormDocument.Field(
            column.id,
            label: column.label,
            type: column.type,
            isRequired: isRequired
        )
        field.control = FieldControl(column)
        field.value = FormValue(text)
        form.fields = [field]
        var buffer = ByteBuffer()
        HTMLPageRenderer(site: Fixture.site).render(form, to: &buffer)
        return buffer.text()
    }

    @Test(
        "the type of a column and its value decide the control",
        arguments: [
            (ColumnType.integer, "5", "<input inputmode=\"decimal\""),
            (.date, "2024-02-29", "<input type=\"date\""), (.date, "no day", "<input id"),
            (.timestamp, "2024-02-29T10:30", "<input type=\"datetime-local\""),
            (.timestamp, "2024-02-29T10:30:00", "<input id"),
            (.timestamp, "2024-02-29T10:30Z", "<input id"),
            (.boolean, "true", "<option value=\"\">none</option>"), (.text, "a\nb", "<textarea"),
            (.json, "{}", "<textarea"), (.email, "a@b.example", "<input type=\"email\""),
        ]
    )
    func types(type: ColumnType, text: String, start: String) {
        let html = html(Column("x", type: type), text)
        #expect(html.contains(start), "\(html)")
    }

    @Test("choices are offered with an empty one, and a value besides them stays")
    func choices() {
        let column = Column("state").choosing(among: ["new", "done"])
        let open = html(column, "old")
        for value in ["", "new", "done"] { #expect(open.contains("<option value=\"\(value)\">")) }
        #expect(open.contains("<option value=\"old\" selected=\"selected\">old</option>"))
        #expect(!html(column, "new", isRequired: true).contains("<option value=\"\""))
        #expect(html(column, isRequired: true).contains("<option value=\"\" selected"))
    }
}
