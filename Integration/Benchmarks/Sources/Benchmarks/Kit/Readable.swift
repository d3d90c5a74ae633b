import Foundation

/// A `person` as a library returns it.
///
/// Reading `digest` reads every field.
protocol PersonReadable {
    var isIdentified: Bool { get }
    var name: String { get }
    var email: String { get }
    var age: Int { get }
    var score: Double { get }
    var active: Bool { get }
    var createdAt: Date { get }
    var bio: String? { get }
}

extension PersonReadable {
    @inline(__always)
    var digest: Int {
        (isIdentified ? 1 : 0) &+ name.utf8.count &+ email.utf8.count &+ age &+ Int(score * 8) &+ (active ? 1 : 0)
            &+ Int(createdAt.timeIntervalSince1970) &+ (bio?.utf8.count ?? 0)
    }
}

/// An `item` as a library returns it.
///
/// Reading `digest` reads every field.
protocol ItemReadable {
    var isIdentified: Bool { get }
    var a: Int { get }
    var b: Int { get }
    var c: Int { get }
    var d: Int { get }
    var e: Int { get }
    var f: Int { get }
    var g: Int { get }
    var h: Int { get }
    var i: Int { get }
    var j: Int { get }
}

extension ItemReadable {
    @inline(__always)
    var digest: Int {
        (isIdentified ? 1 : 0) &+ a &+ b &+ c &+ d &+ e &+ f &+ g &+ h &+ i &+ j
    }
}

extension Sequence where Element: PersonReadable {
    @inline(__always)
    var digest: Int { reduce(0) { $0 &+ $1.digest } }
}

extension Sequence where Element: ItemReadable {
    @inline(__always)
    var digest: Int { reduce(0) { $0 &+ $1.digest } }
}
