import Archives
import Bytes
import CExpat

/// Names are local: prefixes are removed, because writers choose them freely.
protocol XMLHandler: AnyObject {
    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError)
    func end(_ name: String) throws(WorkbookError)
    func text(_ utf8: borrowing Span<UInt8>) throws(WorkbookError)
}

extension XMLHandler {
    func end(_ name: String) throws(WorkbookError) {}
    func text(_ utf8: borrowing Span<UInt8>) throws(WorkbookError) {}
}

/// The attributes of an element, valid during the call that receives them.
@safe
struct XMLAttributes {
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    init(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        // SAFETY: the list is only stored; its use below is bounded.
        unsafe self.list = list
    }

    /// Compared by the local name.
    subscript(_ name: String) -> String? { value(of: name) { _ in true } }

    func value(of name: String, where isWanted: (String) -> Bool) -> String? {
        // SAFETY: expat keeps the list during the call that receives the attributes.
        guard let list = unsafe list else { return nil }
        var index = 0
        // SAFETY: expat ends the list with null, and a value follows each name.
        while let found = unsafe list[index], let value = unsafe list[index + 1] {
            // SAFETY: both are texts that end with NUL and live during the call.
            if unsafe XMLParser.localName(found) == name {
                let text = unsafe String(cString: value)
                if isWanted(text) { return text }
            }
            index += 2
        }
        return nil
    }
}

/// Document types are refused, so that no entity can be declared.
///
/// Depth and length of tags are bounded.
@safe
final class XMLParser {
    private static let maximumDepth = 64
    private static let maximumTagBytes = 1 << 20

    private let handler: any XMLHandler
    private let part: String
    private var parser: OpaquePointer?
    private var failure: WorkbookError?
    private var depth = 0
    /// The bytes since the last call of the handler: those of an incomplete tag.
    private var waiting = 0

    init(_ part: String, _ handler: any XMLHandler) throws(WorkbookError) {
        self.part = part
        self.handler = handler
        guard cexpat_load() != 0 else { throw .missingLibrary }
        // SAFETY: expat calls the handlers only during `parse`, when this object exists.
        unsafe parser = unsafe cexpat_create(
            Unmanaged.passUnretained(self).toOpaque(),
            { context, name, attributes in
                // SAFETY: the attributes live during the call.
                unsafe XMLParser.of(context)?.begin(name, XMLAttributes(attributes))
            },
            { context, name in
                // SAFETY: the name ends with NUL and lives during the call.
                unsafe XMLParser.of(context)?.end(name)
            },
            { context, text, count in
                // SAFETY: the text has `count` bytes and lives during the call.
                unsafe XMLParser.of(context)?.text(text, Int(count))
            },
            { context, _, _, _, _ in
                // SAFETY: see above.
                guard let parser = unsafe XMLParser.of(context) else { return }
                parser.fail(.documentType)
            }
        )
        // SAFETY: the pointer is only compared.
        guard unsafe parser != nil else { throw .archive(.outOfMemory) }
    }

    deinit {
        // SAFETY: created in init, and no other object uses it.
        if let parser = unsafe parser { unsafe cexpat_free(parser) }
    }

    func parse(_ bytes: borrowing Span<UInt8>) throws(WorkbookError) {
        try parse(bytes, isFinal: false)
    }

    func finish() throws(WorkbookError) { try parse([UInt8]().span, isFinal: true) }

    private func parse(_ bytes: borrowing Span<UInt8>, isFinal: Bool) throws(WorkbookError) {
        let status = unsafe bytes.withUnsafeBytes { bytes in
            // SAFETY: expat reads `count` bytes during the call, and copies what it keeps.
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe cexpat_parse(parser, start, Int32(bytes.count), isFinal ? 1 : 0)
        }
        if let failure { throw failure }
        guard status == Int32(CEXPAT_STATUS_OK) else {
            // SAFETY: the text is a constant of the library.
            let text = unsafe String(cString: cexpat_error_text(parser))
            throw error(.syntax(text))
        }
        waiting += bytes.count
        guard waiting <= Self.maximumTagBytes else {
            throw error(.tagTooLong(limit: Self.maximumTagBytes))
        }
    }

    private func error(_ reason: WorkbookError.XMLError) -> WorkbookError {
        // SAFETY: the parser exists until deinit. expat counts columns from 0.
        let (line, column) = unsafe (cexpat_line(parser), cexpat_column(parser) + 1)
        return .xml(reason, part: part, line: Int(line), column: Int(column))
    }

    private func fail(_ reason: WorkbookError.XMLError) { fail(error(reason)) }

    private func fail(_ error: WorkbookError) {
        if failure == nil { failure = error }
        // SAFETY: the parser exists until deinit, and allows the call from its handlers.
        unsafe cexpat_stop(parser)
    }

    private func call(_ body: () throws(WorkbookError) -> Void) {
        guard failure == nil else { return }
        do { try body() } catch { fail(error) }
    }

    private func begin(_ name: UnsafePointer<CChar>?, _ attributes: XMLAttributes) {
        depth += 1
        waiting = 0
        guard depth <= Self.maximumDepth else { return fail(.tooDeep(limit: Self.maximumDepth)) }
        // SAFETY: expat's names end with NUL and live during the call.
        guard let name = unsafe name.map({ unsafe Self.localName($0) }) else { return }
        call { () throws(WorkbookError) in try handler.begin(name, attributes) }
    }

    private func end(_ name: UnsafePointer<CChar>?) {
        depth -= 1
        waiting = 0
        // SAFETY: expat's names end with NUL and live during the call.
        guard let name = unsafe name.map({ unsafe Self.localName($0) }) else { return }
        call { () throws(WorkbookError) in try handler.end(name) }
    }

    private func text(_ start: UnsafePointer<CChar>?, _ count: Int) {
        guard let start = unsafe start else { return }
        // SAFETY: expat lends `count` bytes for the call. All of them are initialized.
        let bytes = unsafe UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self)
        let span = unsafe Span(_unsafeStart: bytes, count: count)
        waiting = 0
        guard failure == nil else { return }
        do { try handler.text(span) } catch { fail(error) }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLParser? {
        // SAFETY: the context is the object that made the parser and is parsing now.
        unsafe context.map { unsafe Unmanaged<XMLParser>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate static func localName(_ name: UnsafePointer<CChar>) -> String {
        // SAFETY: expat's names end with NUL, and no byte behind it is read.
        var start = unsafe name
        var next = unsafe name
        while unsafe next.pointee != 0 {
            if unsafe next.pointee == CChar(UInt8(ascii: ":")) { unsafe start = next + 1 }
            unsafe next += 1
        }
        // SAFETY: see above.
        return unsafe String(cString: start)
    }
}
