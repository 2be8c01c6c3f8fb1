import Bytes
import Glibc
package import TableFiles

extension TextEncoding {
    package var isAvailable: Bool {
        guard case .named(let name) = self else { return true }
        return (try? Iconv(name)) != nil
    }
}

/// A converter of iconv(3) to UTF-8 or from it.
@safe
final class Iconv {
    struct UnknownEncoding: Error {}

    private let handle: iconv_t
    /// The beginning of a character that the last chunk cut off.
    private var rest: [UInt8] = []
    private(set) var invalidCharacters = 0

    convenience init(_ encoding: String) throws(UnknownEncoding) {
        try self.init(from: encoding, to: "UTF-8")
    }

    init(from source: String, to target: String) throws(UnknownEncoding) {
        guard !source.utf8.contains(0), !target.utf8.contains(0),
            // SAFETY: both names live for the call.
            let handle = unsafe iconv_open(target, source),
            // SAFETY: the value (iconv_t)-1 is compared and never used as an address.
            unsafe handle != iconv_t(bitPattern: -1)
        else { throw UnknownEncoding() }
        unsafe self.handle = handle
    }

    deinit {
        // SAFETY: the handle is open until here and closed once.
        _ = unsafe iconv_close(handle)
    }

    /// Bytes that are no character become U+FFFD.
    ///
    /// An empty chunk is the end of the text.
    func decode(_ chunk: borrowing Span<UInt8>, into buffer: inout ByteBuffer) {
        var input = rest.map { CChar(bitPattern: $0) }
        for index in chunk.indices { input.append(CChar(bitPattern: chunk[index])) }
        rest = []
        var output = [CChar](repeating: 0, count: 4 * input.count + 16)
        var start = 0
        while start < input.count {
            let (code, read, written) = convert(&input, from: start, into: &output)
            for index in 0..<written { buffer.append(UInt8(bitPattern: output[index])) }
            start += read
            guard start < input.count else { break }
            if code == EINVAL, !chunk.isEmpty {
                rest = input[start...].map { UInt8(bitPattern: $0) }
                break
            }
            for byte in "\u{FFFD}".utf8 { buffer.append(byte) }
            invalidCharacters += 1
            start += 1
        }
    }

    /// Nil if a character is missing in the target.
    func converted(_ text: [UInt8]) -> [UInt8]? {
        var input = text.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: 8 * input.count + 16)
        let (_, read, written) = convert(&input, from: 0, into: &output)
        guard read == input.count else { return nil }
        return output[..<written].map { UInt8(bitPattern: $0) }
    }

    /// Stops at the first byte that is no character.
    private func convert(
        _ input: inout [CChar],
        from start: Int,
        into output: inout [CChar]
    ) -> (code: Int32, read: Int, written: Int) {
        let (inputCount, outputCount) = (input.count - start, output.count)
        var (inputLeft, outputLeft) = (inputCount, outputCount)
        var code: Int32 = 0
        // SAFETY: both arrays live for the closures, and iconv stays within the given counts.
        unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                // SAFETY: the start is within the array.
                var from = unsafe input.baseAddress?.advanced(by: start)
                var to = output.baseAddress
                // SAFETY: as above.
                let result = unsafe iconv(handle, &from, &inputLeft, &to, &outputLeft)
                if result == -1 { code = errno }
            }
        }
        return (code, inputCount - inputLeft, outputCount - outputLeft)
    }
}
