import Foundation

/// The values of one `person`, before any library has seen them.
struct PersonSample: Encodable {
    let name: String
    let email: String
    let age: Int
    let score: Double
    let active: Bool
    let createdAt: Date
    let bio: String?

    /// The same `count` people on every run: names of 12 characters, unique emails of 24, ages from 18 to 67,
    /// scores in eighths, creation dates a minute apart, and a bio of 57 characters in three rows out of four.
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

    /// The number of bytes of the texts.
    var textSize: Int { name.utf8.count + email.utf8.count + (bio?.utf8.count ?? 0) }

    /// The same person with more points.
    func raised(by points: Double) -> PersonSample {
        PersonSample(
            name: name, email: email, age: age, score: score + points, active: active, createdAt: createdAt, bio: bio)
    }

    private static func padded(_ index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
