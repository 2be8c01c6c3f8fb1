/// A place in a text file, as editors count it.
package struct FilePlace: Hashable, Sendable {
    /// 1 for the first line; every line feed begins another.
    package let line: Int
    /// 1 for the first character of the line; characters are Unicode scalars.
    ///
    /// A byte order mark is none.
    package let column: Int

    /// Creates a place.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first character of a file.
    package static let start = FilePlace(line: 1, column: 1)
}

extension FilePlace: CustomStringConvertible {
    /// `line:column`.
    package var description: String { "\(line):\(column)" }
}
