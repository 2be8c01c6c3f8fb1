import Database
import Listings
import Testing

@Suite("Records")
struct RecordTests {
    private func batch() -> RecordBatch {
        var cells = CellBuffer()
        for number in 1...2 {
            cells.append(Int64(number))
            cells.append(number == 1 ? .integer(5) : .null)
            cells.append("name \(number)")
            cells.append(.null, display: "3 bytes")
        }
        return RecordBatch(cells, cellsPerRecord: 4)
    }

    @Test("a record is a view of its batch")
    func view() {
        let batch = batch()
        #expect(batch.count == 2)
        let records = (0..<2).map { Record(batch, at: $0) }
        #expect(records.map(\.id) == ["1", "2"])
        #expect(records.map(\.revision) == [5, nil])
        #expect(records[1].text(0) == "name 2")
        #expect(records[1].text(1) == nil)
        #expect(records[0].value(1) == .null)
    }

    @Test("the record controller shows every column, with its text for people")
    func controller() throws {
        let controller = RecordController(
            list: "things",
            columns: [Column("name"), Column("data")]
        )
        #expect(controller.kind == "things.row")
        let record = Record(batch(), at: 1)
        #expect(controller.revision(of: record) == nil)
        var cells = CellBuffer()
        let section = SectionInfo(id: "all", key: .whole, header: nil)
        controller.write(Context(model: record, section: section), to: &cells)
        let count = cells.count
        #expect(count == 2)
        let values = [cells.value(0), cells.value(1)]
        #expect(values == [.text("name 2"), .null])
        let display = cells.display(1)
        #expect(display == "3 bytes")
    }

    @Test("keys of sections are put in the order of the engine")
    func keyOrder() throws {
        let date = try #require(CalendarDate("2024-01-01"))
        let collated = KeyOrder.lists
        let keys: [CellValue] = [.null, .text("b"), .text("Á"), .text("a"), .text("9")]
        #expect(
            keys.sorted(by: collated.isLess)
                == [.text("9"), .text("a"), .text("Á"), .text("b"), .null]
        )
        #expect(
            keys.sorted(by: KeyOrder.typed.isLess)
                == [.text("9"), .text("a"), .text("b"), .text("Á"), .null]
        )
        let numbers: [CellValue] = [.text("x"), .date(date), .real(1.5), .integer(2), .integer(-1)]
        #expect(
            numbers.sorted(by: collated.isLess)
                == [.integer(-1), .real(1.5), .integer(2), .date(date), .text("x")]
        )
        #expect(collated.isLess(.boolean(false), than: .boolean(true)))
        let local = try #require(Timestamp("2024-03-12t02:30"))
        let offset = try #require(Timestamp("2024-03-11T21:30:00-05:00"))
        #expect(KeyOrder.storageClasses.precedes(.timestamp(local), .timestamp(offset)))
    }
}
