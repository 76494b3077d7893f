import DuxJSON
import Glibc
import Testing

/// What a daemon finds when it starts, and what it says when that is no good.
struct StartTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func aMissingDataFolderIsMadeForItsOwnerAlone() throws {
    let data = folder("some/where/data")
    let daemon = try DaemonProcess(data: data)
    try Client(daemon, named: nil).accepted(.set("/a", 1))
    try #expect(mode(of: data) == 0o700)
    try #expect(names(in: data).allSatisfy { try mode(of: data + "/" + $0) & 0o077 == 0 })
  }

  @Test(arguments: [
    (
      "glibc.malloc.arena_max=4",
      "glibc.malloc.arena_max=4:glibc.malloc.tcache_count=1000:glibc.malloc.hugetlb=1"
    ),
    (
      "glibc.malloc.tcache_count=9:glibc.malloc.check=0",
      "glibc.malloc.tcache_count=9:glibc.malloc.check=0:glibc.malloc.arena_max=1"
        + ":glibc.malloc.hugetlb=1"
    ),
    (
      "glibc.malloc.tcache_count=9:glibc.malloc.arena_max=2:glibc.malloc.hugetlb=0",
      "glibc.malloc.tcache_count=9:glibc.malloc.arena_max=2:glibc.malloc.hugetlb=0"
    ),
  ])
  func theAllocatorIsToldWhatNobodyElseHasToldIt(
    given: String, used: String
  ) throws {
    let daemon = try DaemonProcess(prefix: ["env", "GLIBC_TUNABLES=\(given)"])
    // The C library ends each setting where it lies, once it has read it.
    let variables = try contents(of: "/proc/\(daemon.pid)/environ").map {
      $0 == 0 ? UInt8(ascii: ":") : $0
    }
    let text = String(decoding: variables, as: UTF8.self)
    #expect(text.contains("GLIBC_TUNABLES=\(used):"))
    #expect(text.ranges(of: "tcache_count").count == 1)
    try #expect(contents(of: "/proc/\(daemon.pid)/comm") == Array("duxd\n".utf8))
  }

  @Test func aFileInTheFoldersPlaceIsRefusedAndLeftAlone() throws {
    let data = folder("data")
    try write(Array("mine".utf8), to: data)
    let start = try FailedStart(data: data)
    #expect(start.code == FailedStart.Code.storage)
    #expect(start.message.contains(data))
    try #expect(contents(of: data) == Array("mine".utf8))
  }

  /// Whether a test may start the daemon as someone who owns nothing.
  static let canBeNobody =
    geteuid() == 0 && (try? run(nobody + [programs + "/duxd", "--version"]).end) == .code(0)
  private static let nobody = [
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--",
  ]

  // Only the superuser can become another user, and that one must be able to reach the program.
  @Test(.enabled(if: canBeNobody))
  func aFolderThatMayNotBeWrittenIsRefusedByName() throws {
    chmod(folder.path, 0o755)
    let data = folder("data")
    do {
      let daemon = try DaemonProcess(data: data)
      try Client(daemon, named: nil).accepted(.set("/a", 1))
      try daemon.stop()
    }
    chmod(data, 0o755)
    let before = try names(in: data)
    for place in [data, folder("elsewhere")] {
      let start = try FailedStart(data: place, prefix: Self.nobody)
      #expect(start.code == FailedStart.Code.storage)
      #expect(start.message.contains(place), "\(start.message)")
    }
    try #expect(names(in: data) == before)
  }

  @Test func aSecondDaemonOnTheSameDataIsRefusedNamingTheFirst() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon, named: nil)
    let start = try FailedStart(data: daemon.data)
    #expect(start.code == FailedStart.Code.busy)
    #expect(start.message.contains("\(daemon.pid)"), "\(start.message)")
    #expect(start.message.contains(daemon.data), "\(start.message)")
    try client.accepted(.set("/a", 1))
    try daemon.killAndStart()
    #expect(try Client(daemon, named: nil).get("/a").value == 1)
  }

  @Test func anAddressInUseIsRefusedByName() throws {
    let daemon = try DaemonProcess()
    let address = "\(daemon.host):\(daemon.port)"
    let start = try FailedStart(data: folder("data"), listen: address)
    #expect(start.code == FailedStart.Code.unavailable)
    #expect(start.message.contains(address), "\(start.message)")
    #expect(try Client(daemon, named: nil).ask(["op": "ping"])["op"] == "pong")
  }

  @Test func twoDaemonsWithDataOfTheirOwnRunSideBySide() throws {
    let daemons = try [DaemonProcess(), DaemonProcess()]
    for (index, daemon) in daemons.enumerated() {
      try Client(daemon, named: nil).accepted(.set("/who", .integer(Int64(index))))
    }
    for (index, daemon) in daemons.enumerated() {
      #expect(try Client(daemon, named: nil).get("/who").value == .integer(Int64(index)))
    }
  }

  @Test func theUnixSocketIsForItsOwnerAloneAndGoesWithTheDaemon() throws {
    let path = folder("socket")
    let daemon = try DaemonProcess(["--socket", path])
    try #expect(mode(of: path) == 0o600)
    let local = try Client(path: path)
    try local.hello()
    try local.accepted(.set("/a", 1))
    #expect(try Client(daemon, named: nil).get("/a").value == 1)
    // One that a crash left behind is no obstacle.
    try daemon.killAndStart()
    let again = try Client(path: path)
    try again.hello()
    #expect(try again.get("/a").value == 1)
    try #expect(daemon.stop() == .code(0))
    #expect(access(path, F_OK) != 0)
  }

  @Test func aFileInTheSocketsPlaceIsRefusedAndLeftAlone() throws {
    let path = folder("socket")
    try write(Array("mine".utf8), to: path)
    let start = try FailedStart(data: folder("data"), options: ["--socket", path])
    #expect(start.code == FailedStart.Code.unavailable)
    #expect(start.message.contains(path), "\(start.message)")
    try #expect(contents(of: path) == Array("mine".utf8))
  }
}
