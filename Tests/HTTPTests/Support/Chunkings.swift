func chunkings(of bytes: [UInt8]) -> [[[UInt8]]] {
    let cutInTwo = bytes.indices.dropFirst().map { cut in
        [Array(bytes[..<cut]), Array(bytes[cut...])]
    }
    return [[bytes]] + cutInTwo + [bytes.map { [$0] }]
}
