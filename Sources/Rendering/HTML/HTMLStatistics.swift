import Listings

struct HTMLStatistics {
    let column: Column
    let statistics: ColumnStatistics?
    let isCounting: Bool

    private static let height = 40

    init?(_ page: borrowing Page) {
        guard let column = page.query.statistics else { return nil }
        self.column = page.schema.columns[column]
        statistics = page.statistics
        isCounting = page.statistics == nil && page.uncounted != nil
    }

    func write(to writer: inout HTMLWriter, in context: RenderContext) {
        let texts = writer.texts
        let title = texts("Statistics of \(column.label)")
        writer.markup("<section class=\"stats\"")
        if isCounting { writer.markup(" data-counting") }
        writer.attribute("aria-label", title)
        writer.element("><h2>", title, "</h2>")
        writer.beginForm("", keeping: .current, except: "statistics", context)
        writer.markup("<button class=\"btn\"")
        writer.attribute("aria-label", "\(texts("Close")): \(title)")
        writer.markup(">×</button></form>")
        if let statistics {
            values(of: statistics, to: &writer)
            histogram(statistics.histogram.bars, to: &writer)
        } else {
            let late = isCounting ? texts("Still counting") : texts("Counting took too long")
            writer.element("<p role=\"status\">", late, "</p>")
        }
        writer.markup("</section>\n")
    }

    private func values(of statistics: ColumnStatistics, to writer: inout HTMLWriter) {
        let texts = writer.texts
        var entries: [(label: String, text: String)] = []
        func add(_ label: String, _ value: CellValue) {
            if !value.isNull { entries.append((label, texts.text(of: value, column))) }
        }
        if statistics.minimum.kind == .number || statistics.minimum.kind == .time {
            add(texts("Smallest"), statistics.minimum)
            mean(of: statistics, texts).map { entries.append((texts("Mean"), $0)) }
            add(texts("Largest"), statistics.maximum)
        }
        add(texts("Shortest"), statistics.shortest)
        add(texts("Longest"), statistics.longest)
        entries.append((texts("Missing"), texts.number(statistics.missing)))
        entries.append((texts("Different values"), texts.number(statistics.distinct)))
        let frequent = statistics.frequent.map { value in
            let count = value.count.map { " (\(texts.count($0)))" } ?? ""
            return texts.text(of: value.value, column) + count
        }
        if !frequent.isEmpty {
            entries.append((texts("Most frequent"), frequent.joined(separator: ", ")))
        }
        writer.markup("<dl>")
        for entry in entries {
            writer.element("<div><dt>", entry.label, "</dt>")
            writer.element("<dd dir=\"auto\">", entry.text, "</dd></div>")
        }
        writer.markup("</dl>")
    }

    /// Returns the mean with up to four decimals; the sign of a rounded number is before it.
    private func mean(of statistics: ColumnStatistics, _ texts: PageText) -> String? {
        guard !statistics.average.isNull else { return nil }
        guard let mean = Double(statistics.average.plainText), mean.magnitude < 1e9 else {
            return texts.text(of: statistics.average, column)
        }
        let rounded = (mean * 10_000).rounded() / 10_000
        return (rounded == mean ? "" : "≈") + texts.text(of: .real(rounded), column)
    }

    private func histogram(_ bars: [Histogram.Bar], to writer: inout HTMLWriter) {
        guard let highest = bars.map(\.count).max(), highest > 0 else { return }
        let texts = writer.texts
        let labels = bars.map { bar in
            let (start, end) = (texts.text(of: bar.start, column), texts.text(of: bar.end, column))
            return "\(start)–\(end): \(texts.number(bar.count))"
        }
        writer.markup("<figure><svg role=\"img\" preserveAspectRatio=\"none\"")
        writer.attribute("viewBox", "0 0 \(bars.count * 10) \(Self.height)")
        writer.attribute("aria-label", labels.joined(separator: ", "))
        writer.markup(">")
        for (index, bar) in bars.enumerated() {
            // A bar with few rows is seen, too.
            let height = bar.count == 0 ? 0 : max(1, bar.count * Self.height / highest)
            writer.markup("<rect width=\"9\"")
            writer.attribute("x", "\(index * 10)")
            writer.attribute("y", "\(Self.height - height)")
            writer.attribute("height", "\(height)")
            writer.element("><title>", labels[index], "</title></rect>")
        }
        writer.markup("</svg><p aria-hidden=\"true\">")
        for value in [bars[0].start, bars[bars.count - 1].end] {
            writer.element("<span>", texts.text(of: value, column), "</span>")
        }
        writer.markup("</p></figure>")
    }
}
