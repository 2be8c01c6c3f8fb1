import Bytes
import Listings
import Rendering

/// What became of the rows of a bulk write, for programs.
struct BulkDocument {
    /// What became of one row.
    struct Line {
        /// The status that it would have been answered with alone.
        let status: Int
        /// What was done; nil when it was refused.
        var row: ChangedRow?
        /// Where the row is.
        var address: String?
        /// Why it was refused.
        var faults: [Problem.Fault] = []
    }

    let list: String
    /// The address of the list.
    let address: String
    /// The rows in the order they were sent.
    let lines: [Line]

    /// Appends the document as JSON.
    func render(to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                let written = lines.count { $0.row != nil }
                writer.member("list", list)
                writer.member("written", written)
                writer.member("refused", lines.count - written)
                writer.array("results") { writer in
                    for line in lines { writer.object { line.render(to: &$0) } }
                }
                writer.object("links") { $0.member("list", address) }
            }
        }
    }
}

extension BulkDocument.Line {
    fileprivate func render(to writer: inout JSONWriter) {
        writer.member("status", status)
        if let row {
            writer.member("id", row.id)
            writer.member("effect", row.effect.rawValue)
            if let revision = row.revision {
                writer.string("etag") { etag in
                    RowETag.write(id: row.id.utf8.span, revision: revision, to: &etag)
                }
            }
        }
        if let address { writer.object("links") { $0.member("self", address) } }
        if !faults.isEmpty { writer.faults(faults) }
    }
}
