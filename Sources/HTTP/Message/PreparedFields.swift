import Bytes

/// Fields shared by many responses, with their lines written once.
package final class PreparedFields: Sendable {
    let lines: ByteBuffer
    let added: AddedFields
    let starts: FieldLineStarts

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
