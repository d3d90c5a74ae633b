import Foundation

/// The values of one `person`, independent of any library.
struct PersonSample: Encodable {
    let name: String
    let email: String
    let age: Int
    let score: Double
    let active: Bool
    let createdAt: Date
    let bio: String?

    /// Returns `count` people, which are the same on every run.
    ///
    /// The names have 12 characters, the unique emails 24 characters. The ages are from 18 to 67, the scores are in
    /// eighths, and the creation dates are a minute apart. Three rows out of four have a bio of 57 characters.
    static func make(_ count: Int, seed: UInt64 = 1) -> [PersonSample] {
        var random = RandomSource(seed: seed)
        return (0..<count).map { index in
            PersonSample(
                name: random.letters(12),
                email: random.letters(8) + padded(index) + "@mail.test",
                age: 18 + Int(random.next() % 50),
                score: Double(random.next() % 8_000) / 8,
                active: random.next() & 1 == 0,
                createdAt: Date(timeIntervalSince1970: 1_600_000_000 + Double(index) * 60),
                bio: index % 4 == 3 ? nil : random.letters(57)
            )
        }
    }

    /// The number of bytes of the strings.
    var textSize: Int { name.utf8.count + email.utf8.count + (bio?.utf8.count ?? 0) }

    /// Returns the same person with a higher score.
    func raised(by points: Double) -> PersonSample {
        PersonSample(
            name: name, email: email, age: age, score: score + points, active: active, createdAt: createdAt, bio: bio)
    }

    private static func padded(_ index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
