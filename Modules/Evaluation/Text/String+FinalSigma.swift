extension String {
    /// The text in lower case, with 'ς' where 'Σ' ends a word and 'σ' elsewhere.
    ///
    /// It is the one rule of Unicode's for lower case that depends on the neighbours of a letter and on no language.
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

    /// Whether the first scalar that counts is a letter that has a case.
    private static func meetsLetter(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
}
