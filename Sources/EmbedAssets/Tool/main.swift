import Glibc

// EmbedAssets OUTPUT FILE...   writes the files into one Swift file, in the order given.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let output = arguments.first else {
    print("usage: EmbedAssets OUTPUT FILE...")
    exit(64)
}
do {
    var files: [EmbeddedFile] = []
    for path in arguments.dropFirst() {
        files.append(try EmbeddedFile(path: path, bytes: readFile(path)))
    }
    let source = """
        /// The files that come with the pages.
        package enum Assets {
            /// All of them, by name.
            package static let all: [Asset] = [\(files.map(\.identifier).joined(separator: ", "))]

        \(files.map(\.source).joined(separator: "\n\n"))
        }

        """
    try writeFile(output, Array(source.utf8))
} catch let error as EmbeddingError {
    switch error {
    case .unknownType(let name): print("error: Public/\(name): the type is not known")
    case .notText(let name): print("error: Public/\(name): not UTF-8 text")
    case .holdsControlCharacter(let name, let line):
        print("error: Public/\(name):\(line): a control character (CR LF line ends?)")
    }
    exit(65)
} catch {
    print("error: \(error)")
    exit(74)
}
