import DuxEngine
import DuxNetwork
import Testing

@testable import DuxClient

struct RemoteClientTests {
  @Test func `the session knows whether what the daemon sends is read`() throws {
    let loop = try EventLoop()
    let configuration = RemoteSession.Configuration(
      client: "c", backoff: Backoff(firstMs: 100, greatestMs: 1_000), steadyMs: 5_000, window: 1)
    let client = RemoteClient(
      to: .tcp(host: "127.0.0.1", port: 1), loop: loop, configuration: configuration
    ) { _ in }
    #expect(client.ask { $0.isReading })
    client.isReading = false
    #expect(!client.ask { $0.isReading })
    client.isReading = true
    #expect(client.ask { $0.isReading })
    loop.close()
  }
}
