import Foundation
import Testing

/// The inputs that the fuzzer starts from, each as one run of its target.
///
/// `make fuzz` looks for new ones.
@Suite struct CorpusTests {
    @Test(arguments: ["container", "conversation", "file", "question"])
    func `no input of the corpus traps`(target: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Corpus/\(target)")
        let inputs = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        #expect(inputs.count >= 10)
        for url in inputs {
            let input = [UInt8](try Data(contentsOf: url))
            switch target {
            case "container": fuzz(container: input)
            case "conversation": fuzz(conversation: input)
            case "file": fuzz(file: input)
            default: fuzz(question: input)
            }
        }
    }
}
