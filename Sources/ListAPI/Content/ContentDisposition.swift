import Bytes

/// The Content-Disposition field, which names the file of a download (RFC 6266).
enum ContentDisposition {
    /// The second name is in UTF-8 (RFC 8187); older programs read the first.
    static func attachment(_ name: String, suffix: String) -> String {
        var file = ""
        for scalar in name.unicodeScalars {
            let isSpecial =
                "/\\".unicodeScalars.contains(scalar)
                || scalar.properties.generalCategory == .control
            file.unicodeScalars.append(isSpecial ? "_" : scalar)
        }
        let encoded = PercentEncoding.encode(file, for: .queryComponent)
        return "attachment; filename=\"\(file.inFileName).\(suffix)\"; "
            + "filename*=UTF-8''\(encoded).\(suffix)"
    }
}

extension String {
    var inFileName: String {
        String(
            prefix(200).map { character in
                let isPlain = character.isASCII && (character.isLetter || character.isNumber)
                return isPlain || "-._".contains(character) ? character : "_"
            }
        )
    }
}
