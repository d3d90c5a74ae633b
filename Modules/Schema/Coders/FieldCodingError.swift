/// The error for a value of a coded field that cannot be encoded or decoded, with the text of a decoder's error.
struct FieldCodingError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// What an error of a coder says, without the value it is about.
    static func text(of error: any Error) -> String {
        switch error {
        case EncodingError.invalidValue(_, let context): context.summary
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.summary
        default: "\(error)"
        }
    }

    fileprivate static func summary(_ text: String, _ keys: [any CodingKey]) -> String {
        // The first is the place in the array that holds every value.
        let path = keys.dropFirst().map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return path.isEmpty ? text : "\(path): \(text)"
    }
}

extension EncodingError.Context {
    fileprivate var summary: String { FieldCodingError.summary(debugDescription, codingPath) }
}

extension DecodingError.Context {
    fileprivate var summary: String { FieldCodingError.summary(debugDescription, codingPath) }
}
