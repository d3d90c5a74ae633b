/// Converts strings to lower case, with a final sigma 'ς' at the ends of words.
extension String {
    /// The string in lower case, where 'Σ' becomes 'ς' at the end of a word, and 'σ' elsewhere.
    ///
    /// This is the only rule of Unicode for lower case that depends on the neighbours of a letter but not on a
    /// language.
    var lowercasedWithFinalSigma: String {
        guard unicodeScalars.contains("Σ") else { return lowercased() }
        let scalars = Array(unicodeScalars)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            if scalar == "Σ" {
                let endsWord =
                    Self.meetsLetter(scalars[..<index].reversed()) && !Self.meetsLetter(scalars[(index + 1)...])
                result.append(endsWord ? "ς" : "σ")
            } else {
                result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return String(result)
    }

    /// Whether the first scalar that is not case-ignorable is a cased letter.
    private static func meetsLetter(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
}
