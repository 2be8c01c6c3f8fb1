import Listings

extension JSONPageRenderer {
    func statistics(of page: borrowing Page, to writer: inout JSONWriter) {
        guard page.query.statistics != nil else { return }
        writer.key("statistics")
        guard let statistics = page.statistics else { return writer.null() }
        let column = page.schema.columns[statistics.column]
        writer.object { writer in
            writer.member("column", column.id)
            writer.member("present", statistics.present)
            writer.member("missing", statistics.missing)
            writer.member("distinct", statistics.distinct)
            writer.member("min", statistics.minimum)
            writer.member("max", statistics.maximum)
            writer.member("avg", statistics.average)
            writer.member("shortest", statistics.shortest)
            writer.member("longest", statistics.longest)
            writer.array("frequent") { writer in
                for value in statistics.frequent {
                    writer.object { writer in
                        writer.member("value", value.value)
                        writer.member(
                            "label",
                            PageLanguage.english.texts.label(of: value.value, column)
                        )
                        writer.member("count", value.count?.value ?? 0)
                    }
                }
            }
            writer.array("histogram") { writer in
                for bar in statistics.histogram.bars {
                    writer.object { writer in
                        writer.member("start", bar.start)
                        writer.member("end", bar.end)
                        writer.member("count", bar.count)
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ value: CellValue) {
        key(JSONKey(name))
        self.value(value)
    }
}
