/// A peer in another language: a program with the arguments and the output of a `Worker`.
///
/// The program reads the samples from files in its folder, and keeps its data on a server.
struct ForeignPeer {
    let name: String
    /// The launcher that starts the program, for any workload.
    let launcher: Launcher
}
