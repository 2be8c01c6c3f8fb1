package import Bytes

extension JSONPageRenderer {
    /// Appends the progress of an import.
    package func render(_ progress: ProgressDocument, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("list", progress.list)
                writer.member("state", progress.state.rawValue)
                writer.object("rows") { writer in
                    writer.member("read", progress.rows.read)
                    writer.member("inserted", progress.rows.inserted)
                    writer.member("replaced", progress.rows.replaced)
                    writer.member("unchanged", progress.rows.unchanged)
                    writer.member("refused", progress.rows.refused)
                }
                writer.object("bytes") { writer in
                    writer.member("read", progress.bytes)
                    writer.member("total", progress.totalBytes)
                }
                if let rate = progress.rowsPerSecond { writer.member("rowsPerSecond", rate) }
                if let seconds = progress.secondsLeft { writer.member("secondsLeft", seconds) }
                if let detail = progress.detail { writer.member("detail", detail) }
                writer.array("faults") { writer in
                    for fault in progress.faults { writer.fault(fault) }
                }
                writer.object("links") { writer in
                    writer.member("self", progress.address)
                    writer.member("list", progress.listAddress)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fault(_ fault: ProgressDocument.Fault) {
        object { writer in
            writer.member("line", fault.line)
            writer.member("column", fault.column)
            if let field = fault.field { writer.member("field", field) }
            writer.member("code", fault.code)
            writer.member("detail", fault.detail)
            if let suggestion = fault.suggestion { writer.member("suggestion", suggestion) }
        }
    }
}
