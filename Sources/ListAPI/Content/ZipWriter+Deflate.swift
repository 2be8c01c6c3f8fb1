package import Rendering
import System

extension ZipWriter {
    /// Appends content as compressed blocks, or as stored ones without memory for compressing.
    package static let deflated: Deflate = { bytes, buffer in
        if !GzipEncoder.appendBlocks(bytes, to: &buffer) { stored(bytes, &buffer) }
    }
}
