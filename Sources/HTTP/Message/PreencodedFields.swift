import Bytes

/// Fields shared by many responses, with their lines written once.
package final class PreencodedFields: Sendable {
    let lines: ByteBuffer
    let added: FieldNameSet
    let starts: FieldLineOffsets

    /// Prepares the fields that a closure adds to an empty response.
    package init(_ add: (inout HTTPResponse) -> Void) {
        var response = HTTPResponse()
        add(&response)
        var lines = ByteBuffer(minimumCapacity: response.fieldLines.count)
        lines.append(response.fieldLines)
        self.lines = lines
        added = response.addedFields
        starts = response.lineStarts
    }
}
