import DuxNetwork
import Glibc
import Testing

struct UnixSocketTests {
  @Test
  func theSocketFileIsForItsOwnerAloneAndRemovedOnClose() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let listener = try loop.listen(.unix, in: folder) { _ in }
        let mode = try #require(fileMode("\(folder)/a.sock"))
        #expect(mode & S_IFMT == S_IFSOCK)
        #expect(mode & 0o777 == 0o600)
        listener.close()
        #expect(fileMode("\(folder)/a.sock") == nil)
      }
    }
  }

  @Test
  func aFileThatADeadProgramLeftIsReplaced() throws {
    try withTemporaryFolder { folder in
      try leaveStaleSocket("\(folder)/a.sock")
      try withLoop { loop in
        var isAccepted = false
        let listener = try loop.listen(.unix, in: folder) { _ in
          isAccepted = true
          loop.stop()
        }
        Connection.connect(to: listener.endpoint, loop: loop) { result in
          if (try? result.get()) == nil { loop.stop() }
        }
        loop.run()
        #expect(isAccepted)
      }
    }
  }

  @Test
  func aLiveSocketIsInUseAndKeepsWorking() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        var accepted = 0
        let listener = try loop.listen(.unix, in: folder) { _ in
          accepted += 1
          if accepted == 2 { loop.stop() }
        }
        let error = #expect(throws: NetworkError.self) {
          _ = try loop.listen(.unix, in: folder) { _ in }
        }
        #expect(error?.isAddressInUse == true)
        #expect(error?.description.contains("\(folder)/a.sock") == true)
        // The probe counts as the first connection.
        Connection.connect(to: listener.endpoint, loop: loop) { _ in }
        loop.run()
        #expect(accepted == 2)
      }
    }
  }

  @Test
  func aLiveSocketWithAFullBacklogIsInUse() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let path = "\(folder)/a.sock"
        let listener = try Listener.listen(on: .unix(path: path), loop: loop, backlog: 1) { _ in }
        listener.pause()
        let waiting = (0..<4).map { _ in rawConnect(path) }
        defer { waiting.forEach { close($0) } }
        let error = #expect(throws: NetworkError.self) {
          _ = try loop.listen(.unix, in: folder) { _ in }
        }
        #expect(error?.isAddressInUse == true)
        #expect(fileMode(path) != nil)
      }
    }
  }

  @Test
  func aFileThatIsNoSocketIsNeverTouched() throws {
    try withTemporaryFolder { folder in
      let path = "\(folder)/plain"
      let file = open(path, O_CREAT | O_WRONLY, 0o644)
      #expect(write(file, "keep", 4) == 4)
      close(file)
      try withLoop { loop in
        let error = #expect(throws: NetworkError.self) {
          _ = try Listener.listen(on: .unix(path: path), loop: loop, backlog: 1) { _ in }
        }
        #expect(error?.isNotASocket == true)
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_size == 4)
      }
    }
  }

  @Test
  func aLinkIsNotFollowedAndNotReplaced() throws {
    try withTemporaryFolder { folder in
      try leaveStaleSocket("\(folder)/a.sock")
      #expect(symlink("\(folder)/a.sock", "\(folder)/link") == 0)
      try withLoop { loop in
        let error = #expect(throws: NetworkError.self) {
          let endpoint = Endpoint.unix(path: "\(folder)/link")
          _ = try Listener.listen(on: endpoint, loop: loop, backlog: 1) { _ in }
        }
        #expect(error?.isNotASocket == true)
        #expect(fileMode("\(folder)/a.sock") != nil)
      }
    }
  }

  @Test
  func closingLeavesAFileThatSomebodyElsePutThere() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let listener = try loop.listen(.unix, in: folder) { _ in }
        #expect(unlink("\(folder)/a.sock") == 0)
        let successor = try loop.listen(.unix, in: folder) { _ in }
        listener.close()
        #expect(fileMode("\(folder)/a.sock") != nil)
        successor.close()
      }
    }
  }

  @Test
  func aPathOfTheGreatestLengthWorksAndALongerOneIsRefused() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let longest = folder + "/" + String(repeating: "x", count: 107 - folder.utf8.count - 1)
        let listener = try Listener.listen(on: .unix(path: longest), loop: loop, backlog: 1) { _ in
        }
        #expect(fileMode(longest) != nil)
        var isConnected = false
        Connection.connect(to: listener.endpoint, loop: loop) { result in
          isConnected = (try? result.get()) != nil
          loop.stop()
        }
        loop.run()
        #expect(isConnected)
        listener.close()

        let tooLong = longest + "x"
        let error = #expect(throws: NetworkError.self) {
          _ = try Listener.listen(on: .unix(path: tooLong), loop: loop, backlog: 1) { _ in }
        }
        #expect(error?.isPathTooLong == true)
        #expect(fileMode(longest) == nil)
      }
    }
  }

  @Test
  func aMissingFolderIsNotFound() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let error = #expect(throws: NetworkError.self) {
          let endpoint = Endpoint.unix(path: "\(folder)/missing/a.sock")
          _ = try Listener.listen(on: endpoint, loop: loop, backlog: 1) { _ in }
        }
        #expect(error?.isNotFound == true)
      }
    }
  }

  @Test
  func thePeersProcessAndUserAreKnown() throws {
    try withTemporaryFolder { folder in
      try withLoop { loop in
        let (accepted, _) = try loop.pair(.unix, in: folder)
        let credentials = try #require(accepted.peerCredentials)
        #expect(credentials.processID == getpid())
        #expect(credentials.userID == getuid())
        #expect(credentials.groupID == getgid())
        #expect(accepted.peerDescription == "unix:pid=\(getpid()),uid=\(getuid())")
      }
    }
  }

  private func fileMode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  /// A socket file whose program is gone: bound once, never removed.
  private func leaveStaleSocket(_ path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    #expect(withAddress(path) { bind(descriptor, $0, $1) } == 0)
  }

  private func rawConnect(_ path: String) -> Int32 {
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, flags, 0)
    _ = withAddress(path) { connect(descriptor, $0, $1) }
    return descriptor
  }

  private func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
