/// The nicknames of dogs: different for each number, and not in the order of the numbers.
enum Nicknames {
    static func nickname(_ number: Int) -> String {
        // The factor is odd, so the product is different for each number below 2^24.
        let digits = String((number &* 0x9E_37B1) & 0xFF_FFFF, radix: 16)
        return "dog-" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
