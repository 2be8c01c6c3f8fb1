import Listings

struct ActionFields {
    private let input: RowRules

    init(_ input: RowRules) { self.input = input }

    func write(to writer: inout HTMLWriter) {
        for position in input.valueColumns {
            let column = input.columns[position]
            writer.element("<p><label>", column.label, " ")
            switch column.type.formControl(of: "") {
            case .choice: options(column, to: &writer)
            case .area: element("<input", column, position, to: &writer)
            case .input(let start): element(start, column, position, to: &writer)
            }
            writer.markup("</label></p>")
        }
    }

    private func options(_ column: Column, to writer: inout HTMLWriter) {
        writer.markup("<select")
        writer.attribute("name", column.id)
        writer.markup(">")
        for (value, label) in [("true", writer.texts("yes")), ("false", writer.texts("no"))] {
            writer.markup("<option")
            writer.attribute("value", value)
            writer.element(">", label, "</option>")
        }
        writer.markup("</select>")
    }

    private func element(
        _ start: StaticString,
        _ column: Column,
        _ position: Int,
        to writer: inout HTMLWriter
    ) {
        writer.markup(start)
        writer.attribute("name", column.id)
        writer.markup(input.required.contains(position) ? " required>" : ">")
    }
}
