import DuxNetwork
import Glibc
import Testing

struct ListenerTests {
  @Test
  func aClosedListenerLeavesItsConnectionsOpen() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        var received = ""
        var peer: Connection?
        var listener: Listener?
        listener = try loop.listen(.unix, in: folder) { connection in
          listener?.close()
          listener?.close()
          connection.onBytes = {
            received += String(decoding: $0, as: UTF8.self)
            loop.stop()
          }
          connection.startReading()
        }
        Connection.connect(to: .unix(path: "\(folder)/a.sock"), loop: loop) { result in
          peer = try? result.get()
          _ = peer?.write(text: "still here")
        }
        loop.run()
        #expect(received == "still here")
      }
    }
  }

  @Test
  func aPausedListenerAcceptsLater() throws {
    try withLoop { loop in
      var accepted = 0
      let listener = try loop.listen(.ipv4, in: "") { _ in
        accepted += 1
        loop.stop()
      }
      listener.pause()
      Connection.connect(to: listener.endpoint, loop: loop) { _ in
        #expect(accepted == 0)
        loop.timer(after: .milliseconds(10)) {
          #expect(accepted == 0)
          listener.resume()
        }
      }
      loop.run()
      #expect(accepted == 1)
    }
  }

  @Test
  func aListenerMayCloseItselfAsItAccepts() throws {
    try withLoop { loop in
      var accepted = 0
      var listener: Listener?
      listener = try loop.listen(.ipv4, in: "") { connection in
        accepted += 1
        connection.close()
        listener?.close()
        loop.timer(after: .milliseconds(10)) { loop.stop() }
      }
      let endpoint = try #require(listener?.endpoint)
      for _ in 0..<3 {
        Connection.connect(to: endpoint, loop: loop) { _ in }
      }
      loop.run()
      #expect(accepted == 1)
    }
  }

  @Test
  func acceptedTCPSocketsSendAtOnceAndAreKeptAlive() throws {
    try withLoop { loop in
      let (accepted, connected) = try loop.pair()
      for end in [accepted, connected] {
        #expect(option(end, Int32(IPPROTO_TCP), TCP_NODELAY) == 1)
        #expect(option(end, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT) == 262_144)
        #expect(option(end, SOL_SOCKET, SO_KEEPALIVE) == 1)
        #expect(option(end, Int32(IPPROTO_TCP), TCP_KEEPIDLE) == 60)
        #expect(option(end, Int32(IPPROTO_TCP), TCP_KEEPINTVL) == 20)
        #expect(option(end, Int32(IPPROTO_TCP), TCP_KEEPCNT) == 3)
        #expect(option(end, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT) == 120_000)
        let flags = fcntl(try #require(end.descriptor), F_GETFD)
        #expect(flags & FD_CLOEXEC != 0)
      }
    }
  }

  @Test
  func thousandsOfConnectionsLeaveNothingBehind() throws {
    try withLoop { loop in
      let owners = Population()
      var ended = 0
      let total = 5_000
      let listener = try loop.listen(.ipv4, in: "") { connection in
        let owner = Owner(owners)
        connection.onBytes = { bytes in
          withExtendedLifetime(owner) { _ = connection.write(bytes) }
        }
        connection.onEnd = { _ in
          connection.close()
          ended += 1
          if ended == total { loop.stop() }
        }
        connection.startReading()
      }
      var started = 0
      func start() {
        guard started < total else { return }
        started += 1
        let owner = Owner(owners)
        Connection.connect(to: listener.endpoint, loop: loop) { result in
          guard let connection = try? result.get() else { return loop.stop() }
          connection.onBytes = { _ in
            withExtendedLifetime(owner) { connection.close() }
            start()
          }
          connection.startReading()
          _ = connection.write(text: "x")
        }
      }
      for _ in 0..<50 {
        start()
      }
      loop.run()
      #expect(ended == total)
      listener.close()
      #expect(loop.openHandleCount == 1)
      #expect(owners.alive == 0)
    }
  }

  private func option(_ connection: Connection, _ level: Int32, _ name: Int32) -> Int32 {
    guard let descriptor = connection.descriptor else { return -1 }
    var value: Int32 = -1
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, level, name, &value, &size)
    return value
  }

  private final class Population {
    var alive = 0
  }

  /// Stands for what the owner of a connection keeps for it.
  private final class Owner {
    private let population: Population

    init(_ population: Population) {
      self.population = population
      population.alive += 1
    }

    deinit {
      population.alive -= 1
    }
  }
}
