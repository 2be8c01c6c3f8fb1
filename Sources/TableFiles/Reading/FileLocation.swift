/// A place in a text file, counted as in editors.
package struct FileLocation: Hashable, Sendable {
    /// The line number from 1.
    ///
    /// A line ends with a line feed.
    package let line: Int
    /// The number of the character in the line from 1, in Unicode scalars.
    ///
    /// A byte order mark is not counted.
    package let column: Int

    /// Creates a place.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first character of a file.
    package static let start = FileLocation(line: 1, column: 1)
}

extension FileLocation: CustomStringConvertible {
    /// The place as `line:column`.
    package var description: String { "\(line):\(column)" }
}
