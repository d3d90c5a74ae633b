/// A peer in another language: a program that is called as a `Worker` is, and answers as one does.
///
/// It finds the samples as files in its folder, and keeps its data on a server.
struct ForeignPeer {
    let name: String
    /// Starts it, on any workload.
    let launcher: Launcher
}
