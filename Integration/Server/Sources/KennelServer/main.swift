import Coffer
import CofferConfiguration
import Hummingbird
import LiveKennel

// snippet: live-server
let stack = try makeKennel(StorageConfiguration())
let server = Application(router: makeRouter(stack))
try await server.runService()
// end
