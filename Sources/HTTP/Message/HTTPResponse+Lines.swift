package import Bytes

extension HTTPResponse {
    /// Adds the field lines of an earlier response, each with its end.
    package mutating func addFields(_ lines: borrowing ByteBuffer) {
        append(lines)
    }

    /// Whether the first line of a field contains a text, in exactly that spelling.
    package borrowing func holds(_ text: String, in name: FieldName) -> Bool {
        guard let line = line(of: name) else { return false }
        let wanted = text.utf8.span
        return fieldLines.withBytes { bytes in
            let line = bytes.extracting(line)
            guard !wanted.isEmpty else { return true }
            var start = 0
            while let place = line.firstIndex(of: wanted[0], from: start),
                place + wanted.count <= line.count
            {
                let part = line.extracting(place..<place + wanted.count)
                if part.equals(wanted) { return true }
                start = place + 1
            }
            return false
        }
    }

    /// Whether the value of the first line of a field equals a text, in exactly that spelling.
    package borrowing func isField(_ name: FieldName, _ value: String) -> Bool {
        guard let range = self.value(of: name) else { return false }
        return fieldLines.withBytes { $0.extracting(range).equals(value) }
    }

    /// Appends the field lines of the response, except those of some names.
    ///
    /// - Complexity: O(bytes of all fields · names).
    package borrowing func writeFields(except names: [FieldName], to buffer: inout ByteBuffer) {
        let names = names.map { name in
            var beginning = ByteBuffer(minimumCapacity: 32)
            name.write(into: &beginning)
            beginning.append(UInt8(ascii: ":"))
            return beginning.array()
        }
        fieldLines.withBytes { bytes in
            var start = 0
            while let end = bytes.firstIndex(of: .lineFeed, from: start) {
                let line = bytes.extracting(start...end)
                var isWanted = true
                for name in names where line.count >= name.count {
                    let beginning = line.extracting(..<name.count)
                    if beginning.equals(name.span) { isWanted = false }
                }
                if isWanted { buffer.append(line) }
                start = end + 1
            }
        }
    }
}
