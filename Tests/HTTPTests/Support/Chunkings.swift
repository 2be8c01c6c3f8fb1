/// The ways an input can arrive: whole, cut in two at every place, and byte by byte.
func chunkings(of bytes: [UInt8]) -> [[[UInt8]]] {
    let cutInTwo = bytes.indices.dropFirst().map { cut in
        [Array(bytes[..<cut]), Array(bytes[cut...])]
    }
    return [[bytes]] + cutInTwo + [bytes.map { [$0] }]
}
