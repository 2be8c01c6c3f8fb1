import Bytes
import TestSupport
import Testing

@testable import Listings

@Suite("Stretches of rows that are alike")
struct PlainStretchTests {
    /// A page of rows of two kinds, most of them short texts.
    private func page(_ seed: UInt64) throws -> Page {
        var generator = SeededGenerator(seed: seed)
        var registry = ControllerRegistry()
        let controller = SampleController()
        let samples = try registry.register(controller)
        let pairs = try registry.register(PairController())
        var page = Page(list: "samples", schema: try ListSchema(columns: controller.columns))
        page.begin(
            ListQuery(shape: .flow(limit: 500)),
            version: ListVersion(epoch: 1, counter: 1)
        )
        // Of most pages all rows are texts, as of most lists.
        let mostAreTexts = Bool.random(using: &generator)
        for section in 0..<3 {
            page.beginSection(SectionInfo(id: SectionID("s\(section)"), key: .whole, header: nil))
            for number in 0..<Int.random(in: 0...12, using: &generator) {
                let sample = Sample.random(
                    section * 100 + number,
                    oddity: mostAreTexts ? 40 : 4,
                    using: &generator
                )
                if Int.random(in: 0..<5, using: &generator) == 0 {
                    page.append(Pair(sample: sample), using: pairs)
                } else {
                    page.append(sample, using: samples)
                }
            }
        }
        try page.end()
        return page
    }

    @Test(
        "they have just the rows of short ids and cells, as long as they are",
        arguments: UInt64(1)...60
    )
    func rows(seed: UInt64) throws {
        let page = try page(seed)
        for row in 0..<page.rowCount {
            let integers = page.integersOfShort(row)
            let stretch = page.stretch(ofRow: row)
            #expect(stretch?.integers == integers, "row \(row)")
            guard let stretch else { continue }
            #expect(page.kinds[stretch.kind].name == page.kind(ofRow: row))
            #expect(stretch.hasRevision == (page.revision(ofRow: row) != nil))
            let cells = stretch.cells(ofRow: row)
            #expect(cells.count == page.kinds[stretch.kind].cellCount)
            #expect(page.bareRow(row)?.firstCell == cells.lowerBound)
            // Rows that are alike are in one, where nothing else parts their bytes.
            guard row > 0, page.integersOfShort(row - 1) == integers,
                page.kind(ofRow: row - 1) == page.kind(ofRow: row),
                (page.revision(ofRow: row - 1) != nil) == stretch.hasRevision
            else { continue }
            #expect(stretch.rows.contains(row - 1))
        }
    }

    @Test("a name of them says what one of all rows says", arguments: UInt64(1)...60)
    func names(seed: UInt64) throws {
        var page = try page(seed)
        page.nameWindow(list: 1, question: 2)
        let token = try WindowToken(page.windowName.text())
        #expect(token.digest == ListDigest(of: page, seed: WindowToken.seed))
    }

    @Test("rows of more cells than a word has bits are in none, and named all the same")
    func wide() throws {
        for count in [63, 64, 65, 130] {
            let columns = (0..<count).map { number in column("c\(number)") { (_: Wide) in number } }
            var registry = ControllerRegistry()
            let registration = try registry.register(ClosureController<Wide>(columns: columns))
            let schema = try ListSchema(columns: columns.map(\.column))
            var page = Page(list: "wide", schema: schema)
            page.begin(
                ListQuery(shape: .flow(limit: 9)),
                version: ListVersion(epoch: 1, counter: 1)
            )
            page.beginSection(SectionInfo(id: "all", key: .whole, header: nil))
            for id in 0..<3 { page.append(Wide(id: id), using: registration) }
            try page.end()
            let stretch = page.stretch(ofRow: 1)
            #expect(stretch?.rows == (count <= 64 ? 0..<3 : nil))
            page.nameWindow(list: 1, question: 2)
            let token = try WindowToken(page.windowName.text())
            #expect(token.digest == ListDigest(of: page, seed: WindowToken.seed))
        }
    }
}

extension Page {
    /// Which cells of a row are whole numbers, asked of one after the other; nil where a cell, or the
    /// id, is not short.
    fileprivate func integersOfShort(_ row: Int) -> UInt64? {
        guard let bare = bareRow(row), (1...32).contains(placeOfID(ofRow: row).count) else {
            return nil
        }
        var integers: UInt64 = 0
        for place in 0..<kinds[bare.kind].cellCount {
            let cell = bare.firstCell + place
            if cells.hasDisplay(cell) { return nil }
            switch cells.value(cell) {
            case .text(let text) where text.utf8.count <= 32: break
            case .integer(let number) where (0...1 << 53).contains(number): integers |= 1 << place
            default: return nil
            }
        }
        return integers
    }
}

private struct Wide: Identifiable, Sendable {
    let id: Int
}

private struct Sample: Identifiable, Sendable {
    let id: String
    let revision: Int64?
    let cells: [CellValue]
    let display: String?

    static func random(
        _ number: Int,
        oddity: Int,
        using generator: inout SeededGenerator
    ) -> Sample {
        let isOdd = Int.random(in: 0..<oddity, using: &generator) == 0
        let ids = ["\(number)", "\(number)0000000", "00\(number)", "n-\(number)", "é\(number)"]
        let longID = String(repeating: "n", count: 30) + "\(number)"
        return Sample(
            id: isOdd ? longID : ids[Int.random(in: 0..<5, using: &generator)],
            revision: isOdd && Bool.random(using: &generator) ? 7 : nil,
            cells: (0..<3).map { place in
                guard isOdd || place == 2 else { return text(using: &generator) }
                return switch Int.random(in: 0..<8, using: &generator) {
                case 0: .null
                case 1: .integer(-1)
                case 2: .integer(12)
                case 3: .text(String(repeating: "x", count: 33))
                case 4: .boolean(true)
                default: text(using: &generator)
                }
            },
            display: isOdd && Bool.random(using: &generator) ? "shown" : nil
        )
    }

    private static func text(using generator: inout SeededGenerator) -> CellValue {
        .text(
            String(
                "Ælfgifu of York and Northampton.".prefix(
                    Int.random(in: 0...31, using: &generator)
                )
            )
        )
    }
}

private struct SampleController: RowController {
    let kind = "sample.row"
    let columns = [Column("name"), Column("city"), Column("age")]

    func write(_ context: Context<Sample>, to cells: inout CellBuffer) {
        cells.append(context.model.cells[0])
        cells.append(context.model.cells[1], display: context.model.display)
        cells.append(context.model.cells[2])
    }

    func revision(of model: Sample) -> Int64? { model.revision }
}

/// Has fewer cells than a sample.
private struct Pair: Identifiable, Sendable {
    let sample: Sample
    var id: String { sample.id }
}

private struct PairController: RowController {
    let kind = "pair.row"
    let columns = [Column("city"), Column("age")]

    func write(_ context: Context<Pair>, to cells: inout CellBuffer) {
        for cell in context.model.sample.cells.prefix(2) { cells.append(cell) }
    }

    func revision(of model: Pair) -> Int64? { nil }
}
