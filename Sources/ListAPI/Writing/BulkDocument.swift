import Bytes
import Listings
import Rendering

/// The results of a bulk write, as a JSON document.
struct BulkDocument {
    struct Line {
        /// The status of the row if it were written alone.
        let status: Int
        /// The written row; nil for a refused one.
        var row: ChangedRow?
        var address: String?
        var faults: [Problem.Fault] = []
    }

    let list: String
    /// The address of the list.
    let address: String
    /// The results in the order of the request.
    let lines: [Line]

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
