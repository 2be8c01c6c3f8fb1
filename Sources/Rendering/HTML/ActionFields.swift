import Listings

struct ActionFields {
    private let input: RowRules

    init(_ input: RowRules) { self.input = input }

    func write(to writer: inout HTMLWriter) {
        for position in input.valueColumns {
            let column = input.columns[position]
            writer.element("<p><label>", column.label, " ")
            switch FieldControl(column).kind(of: "") {
            case .choice: options(column, position, to: &writer)
            case .area: element("<input", column, position, to: &writer)
            case .input(let start): element(start, column, position, to: &writer)
            }
            writer.markup("</label></p>")
        }
    }

    private func options(_ column: Column, _ position: Int, to writer: inout HTMLWriter) {
        writer.markup("<select")
        writer.attribute("name", column.id)
        writer.markup(">")
        let isRequired = input.required.contains(position) || column.type == .boolean
        let value = column.type == .boolean ? "true" : ""
        writer.options(of: FieldControl(column), value: value, isRequired: isRequired)
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
