import Foundation

/// Limits a property list to 512 nested levels, and checks its size before it is decoded.
///
/// The limits are the maximum depth of nested containers, and the maximum size.
///
/// Foundation decodes property lists by recursion. Its own limits differ between platforms, and some platforms have
/// none, so that a forged list could stop the program. The bytes are therefore checked first, without recursion.
enum PropertyListBounds {
    /// The maximum number of nested containers.
    static let depthLimit = 512

    static let tooDeep = FieldCodingError("The bytes contain more than \(depthLimit) nested levels.")
    static let tooLarge = FieldCodingError("The bytes declare more content than they contain.")
    static let notAList = FieldCodingError("The bytes are not a property list in the binary or the XML format.")

    static func isBinary(_ data: Data) -> Bool { data.starts(with: Data("bplist00".utf8)) }

    /// Refuses a list that is too deep or too large, or that is neither binary nor XML.
    static func check(_ data: Data) throws {
        if isBinary(data) {
            try BinaryPropertyList(data).checkBounds()
        } else {
            try checkXML(data)
        }
    }

    private static func checkXML(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
            // Another encoding would hide the tags.
            guard place < bytes.count, bytes[place] == UInt8(ascii: "<"), !bytes.contains(0) else { throw notAList }
            var depth = 0
            while let tag = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
                guard tag + 1 < bytes.count else { return }
                if let (start, end) = Self.opaque.first(where: { bytes[tag...].starts(with: $0.start) }) {
                    let content = bytes[min(tag + start.count, bytes.count)...]
                    place = content.firstRange(of: end)?.upperBound ?? bytes.count
                    continue
                }
                let close = bytes[tag...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
                if bytes[tag + 1] == UInt8(ascii: "/") {
                    depth -= 1
                } else if bytes[tag + 1] != UInt8(ascii: "!"), bytes[close - 1] != UInt8(ascii: "/") {
                    depth += 1
                }
                // If more elements end than begin, an element is hidden.
                guard depth >= 0 else { throw notAList }
                // The list's own element is not a level.
                guard depth <= depthLimit + 1 else { throw tooDeep }
                place = min(close + 1, bytes.count)
            }
        }
    }

    /// The parts without tags: comments, CDATA sections, and instructions.
    private static let opaque: [(start: [UInt8], end: [UInt8])] = [
        (Array("<!--".utf8), Array("-->".utf8)), (Array("<![CDATA[".utf8), Array("]]>".utf8)),
        (Array("<?".utf8), Array("?>".utf8)),
    ]
}
