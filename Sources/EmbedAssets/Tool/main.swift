import Glibc

// EmbedAssets OUTPUT FOLDER   writes the files of the folder into one Swift file.

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: EmbedAssets OUTPUT FOLDER")
    exit(64)
}
do {
    var files: [EmbeddedFile] = []
    for name in try fileNames(in: arguments[2]) {
        files.append(try EmbeddedFile(name: name, bytes: readFile("\(arguments[2])/\(name)")))
    }
    let source = """
        /// The files that come with the pages.
        package enum Assets {
            /// All of them, by name.
            package static let all: [Asset] = [\(files.map(\.identifier).joined(separator: ", "))]

        \(files.map(\.source).joined(separator: "\n\n"))
        }

        """
    try writeFile(arguments[1], Array(source.utf8))
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
