import Foundation
import ListAPI
import TestSupport
import Testing

@testable import RosterProgram

@Suite("Secrets that cursors are signed with")
struct CursorSecretsTests {
    @Test("secrets come from the environment or a file, and are long enough")
    func secrets() throws {
        let folder = try ScratchFolder()
        let file = folder.path + "/secrets"
        try String(repeating: "a", count: 32).appending("\n\nshort\n")
            .write(toFile: file, atomically: true, encoding: .utf8)
        func failure(_ secret: String?, _ path: String?) -> Failure? {
            var configuration = Configuration()
            configuration.cursorSecret = secret
            configuration.cursorSecretFile = path
            do {
                _ = try CursorSecrets.keys(configuration)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure(nil, nil) == nil)
        #expect(failure(String(repeating: "é", count: 16), nil) == nil)
        let short = try #require(failure(nil, file))
        #expect(short.code == .configuration)
        #expect(
            short.text.contains("secret 2 has 5 bytes and needs 32")
                && !short.text.contains("short")
        )
        #expect(failure(nil, folder.path + "/none")?.code == .noInput)
        let long = String(repeating: "b", count: 32)
        #expect(failure(long, file)?.code == .configuration)
        #expect(failure("\(long)\n\(long)", nil)?.text.contains(long) == false)
        #expect(failure("\n", nil)?.code == .configuration)
    }
}
