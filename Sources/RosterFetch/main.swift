import Foundation
import Remote
import RemoteSession

// Answers the requests that come in on standard input, one after another, until it ends.
let transport = URLSessionTransport()
while let prefix = Pipe.read(FetchMessage.prefixCount),
    let count = FetchMessage.count(prefix),
    let request = Pipe.read(count).flatMap(FetchMessage.request)
{
    let result: Result<RemoteResponse, RemoteError>
    do throws(RemoteError) {
        result = .success(try await transport.send(request))
    } catch {
        result = .failure(error)
    }
    Pipe.write(FetchMessage.bytes(of: result))
}

/// Standard input and output, in bytes.
enum Pipe {
    /// So many bytes; nil where the input ends before.
    static func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = FileHandle.standardInput.readData(ofLength: count - bytes.count)
            guard !piece.isEmpty else { return nil }
            bytes += piece
        }
        return bytes
    }

    /// Writes all bytes; who does not read them ends this program by SIGPIPE.
    static func write(_ bytes: [UInt8]) { FileHandle.standardOutput.write(Data(bytes)) }
}
