/// The end of a zip archive, which lists its entries.
struct ZipDirectory {
    private(set) var entries: [ZipArchive.Entry] = []
    let offset: Int64

    private static let endBytes = 22
    private static let maximumCommentBytes = 65_535

    init(_ source: ByteSource, limits: ArchiveLimits) throws(ArchiveError) {
        let end = try End(source)
        guard end.count <= limits.maximumEntries else {
            throw .tooManyEntries(limit: limits.maximumEntries)
        }
        let damaged = ArchiveError.damaged(.noDirectory, entry: nil, offset: end.location)
        guard end.bytes <= limits.maximumDirectoryBytes, end.bytes <= end.location,
            end.offset <= end.location - end.bytes
        else { throw damaged }
        // Programs that extract themselves stand before the archive, and offsets begin behind them.
        let shift = end.location - end.bytes - end.offset
        offset = end.location - end.bytes
        let bytes = try source.bytes(from: offset, count: Int(end.bytes))
        var index = 0
        while index < bytes.count, entries.count < limits.maximumEntries {
            entries.append(try entry(bytes, &index, shift))
        }
        guard entries.count == end.count, index == bytes.count else { throw damaged }
    }

    private func entry(
        _ bytes: [UInt8],
        _ index: inout Int,
        _ shift: Int64
    ) throws(ArchiveError) -> ZipArchive.Entry {
        let start = index
        let damaged = ArchiveError.damaged(.directory, entry: nil, offset: offset + Int64(start))
        guard start + 46 <= bytes.count, bytes.number(at: start, bytes: 4) == 0x0201_4B50 else {
            throw damaged
        }
        func number(_ location: Int, _ count: Int) -> UInt64 {
            bytes.number(at: start + location, bytes: count)
        }
        let flags = number(8, 2)
        let nameEnd = start + 46 + Int(number(28, 2))
        let extraEnd = nameEnd + Int(number(30, 2))
        index = extraEnd + Int(number(32, 2))
        guard index <= bytes.count else { throw damaged }
        var sizes = [number(24, 4), number(20, 4), number(42, 4)]
        guard Self.widen(&sizes, by: Array(bytes[nameEnd..<extraEnd])),
            let offset = Int64(exactly: sizes[2]), let compressed = Int64(exactly: sizes[1]),
            let size = Int64(exactly: sizes[0]), offset <= Int64.max - shift
        else { throw damaged }
        let name = Array(bytes[start + 46..<nameEnd])
        return ZipArchive.Entry(
            name: ZipName.text(name, isUTF8: flags & 1 << 11 != 0),
            compressedBytes: compressed,
            bytes: size,
            method: Int(number(10, 2)),
            // Strong encryption and an encrypted directory have bits of their own.
            isEncrypted: flags & (1 | 1 << 6 | 1 << 13) != 0,
            checksum: UInt32(number(16, 4)),
            nameBytes: name,
            offset: offset + shift
        )
    }

    /// Replaces sizes of 32 one-bits by those of the Zip64 field (APPNOTE 4.5.3).
    private static func widen(_ sizes: inout [UInt64], by extra: [UInt8]) -> Bool {
        guard sizes.contains(0xFFFF_FFFF) else { return true }
        var index = 0
        while index + 4 <= extra.count {
            let id = extra.number(at: index, bytes: 2)
            var location = index + 4
            index = location + Int(extra.number(at: index + 2, bytes: 2))
            guard index <= extra.count else { return false }
            guard id == 1 else { continue }
            for number in sizes.indices where sizes[number] == 0xFFFF_FFFF {
                guard location + 8 <= index else { return false }
                sizes[number] = extra.number(at: location, bytes: 8)
                location += 8
            }
            return true
        }
        // Without the field, the number is meant.
        return true
    }

    private struct End {
        var count = 0
        /// The size and the stated offset of the directory.
        var bytes: Int64 = 0
        var offset: Int64 = 0
        var location: Int64

        init(_ source: ByteSource) throws(ArchiveError) {
            let count = min(source.count, Int64(endBytes + maximumCommentBytes))
            let start = source.count - count
            let tail = try source.bytes(from: start, count: Int(count))
            let index = stride(from: tail.count - endBytes, through: 0, by: -1).first { index in
                tail.number(at: index, bytes: 4) == 0x0605_4B50
                    && index + endBytes + Int(tail.number(at: index + 20, bytes: 2)) <= tail.count
            }
            guard let index else {
                throw .damaged(.noDirectory, entry: nil, offset: source.count)
            }
            location = start + Int64(index)
            let record = Array(tail[index..<index + endBytes])
            let isWide = try readWide(source)
            guard !isWide else { return }
            guard record.number(at: 4, bytes: 4) == 0 else { throw .split }
            self.count = Int(record.number(at: 10, bytes: 2))
            bytes = Int64(record.number(at: 12, bytes: 4))
            offset = Int64(record.number(at: 16, bytes: 4))
        }

        /// Reads the record of Zip64 (APPNOTE 4.3.14), to which a locator before the end points.
        private mutating func readWide(_ source: ByteSource) throws(ArchiveError) -> Bool {
            guard location >= 20 else { return false }
            let locator = try source.bytes(from: location - 20, count: 20)
            guard locator.number(at: 0, bytes: 4) == 0x0706_4B50 else { return false }
            let damaged = ArchiveError.damaged(.noDirectory, entry: nil, offset: location)
            guard let start = Int64(exactly: locator.number(at: 8, bytes: 8)) else { throw damaged }
            guard locator.number(at: 16, bytes: 4) <= 1 else { throw .split }
            let record = try source.bytes(from: start, count: 56)
            guard record.number(at: 0, bytes: 4) == 0x0606_4B50,
                let count = Int(exactly: record.number(at: 32, bytes: 8)),
                let bytes = Int64(exactly: record.number(at: 40, bytes: 8)),
                let offset = Int64(exactly: record.number(at: 48, bytes: 8))
            else { throw damaged }
            (self.count, self.bytes, self.offset, location) = (count, bytes, offset, start)
            return true
        }
    }
}

enum ZipName {
    /// Many writers use UTF-8 without saying so, and some write backslashes.
    static func text(_ bytes: [UInt8], isUTF8: Bool) -> String {
        let isText = isUTF8 || String(validating: bytes, as: UTF8.self) != nil
        let text =
            isText
            ? String(decoding: bytes, as: UTF8.self)
            : String(String.UnicodeScalarView(bytes.map(scalar)))
        return text.replacing("\\", with: "/")
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80]
    }

    private static let upperHalf = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
        αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """.unicodeScalars
    )
}
