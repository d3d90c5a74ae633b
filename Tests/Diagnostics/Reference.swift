// An expression without Coffer. scripts/check-diagnostics measures with it how fast the machine is.

func reference(_ a: Double, _ b: Int) -> Bool {
    let values = [1, 2, 3].map { Double($0) * 2.5 + 1 } + [a, 4]
    return values.reduce(0, +) / 3 - Double(b) * 2 + 1 > 4 && values.count + b * 2 - 1 < 5 || -a + 2 * 3 - 1 > 0
}
