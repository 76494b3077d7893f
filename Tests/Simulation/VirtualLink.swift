import DuxEngine

/// The end of a connection at a client.
protocol LinkEnd: AnyObject {
  func received(_ bytes: [UInt8], on link: VirtualLink)
  func ended(_ link: VirtualLink)
}

/// One connection: bytes go both ways in order, late, in pieces of any size, and may stop anywhere.
final class VirtualLink {
  let id: ConnectionID
  private unowned let world: World
  private let daemon: VirtualDaemon
  private weak var end: (any LinkEnd)?
  private var random: SeededGenerator
  private let isSlow: Bool

  private var toClient: [UInt8] = []
  private var toDaemon: [UInt8] = []
  private var isDelivering = false
  private var isUploading = false
  private var isBlocked = false
  private var cloggedUntil: Int64 = 0
  private var hasClientClosed = false
  private var hasClientHeard = false
  private var hasDaemonClosed = false
  private(set) var isClientGone = false
  private(set) var isDaemonGone = false
  var isPaused = false { didSet { if !isPaused { upload() } } }

  init(
    _ id: ConnectionID, world: World, daemon: VirtualDaemon, end: any LinkEnd,
    random: SeededGenerator
  ) {
    self.id = id
    self.world = world
    self.daemon = daemon
    self.end = end
    self.random = random
    isSlow = self.random.chance(world.options.slowReaderPercent)
  }

  private var delay: Int64 {
    guard world.hasFaults else { return Int64(random.below(3)) }
    return Int64(random.below(world.options.networkDelayMs * (isSlow ? 40 : 1) + 1))
  }

  private var chunk: Int {
    1 + random.below(world.hasFaults ? world.options.chunkBytes : 100_000)
  }

  // From the daemon.

  /// Takes bytes as far as there is room, as a socket does.
  func transmit(_ runs: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> [UInt8] {
    guard !isDaemonGone, !hasDaemonClosed else { return [] }
    var room = max(0, (world.hasFaults ? world.options.socketBytes : 100_000) - toClient.count)
    if world.now < cloggedUntil { room = random.chance(50) ? min(room, random.below(4)) : 0 }
    var taken: [UInt8] = []
    for run in runs {
      let piece = run.prefix(room - taken.count)
      taken += piece
      if piece.count < run.count {
        isBlocked = true
        break
      }
    }
    toClient += taken
    deliver()
    return taken
  }

  func clog(forMs duration: Int64) {
    cloggedUntil = world.now + duration
    world.after(duration + 1) { [self] in unblock() }
  }

  private func unblock() {
    guard isBlocked, !isDaemonGone, world.now >= cloggedUntil else { return }
    isBlocked = false
    daemon.writable(self)
  }

  private func deliver() {
    guard !isDelivering else { return }
    guard !toClient.isEmpty else {
      if hasDaemonClosed { endClient() }
      return
    }
    isDelivering = true
    world.after(delay) { [self] in
      isDelivering = false
      guard !isClientGone else { return }
      let piece = Array(toClient.prefix(chunk))
      toClient.removeFirst(piece.count)
      hasClientHeard = true
      end?.received(piece, on: self)
      unblock()
      deliver()
    }
  }

  /// The daemon closes: what is on its way still comes.
  func closeByDaemon() {
    hasDaemonClosed = true
    isDaemonGone = true
    deliver()
  }

  // From the client.

  func send(_ bytes: [UInt8]) {
    guard !isClientGone, !hasClientClosed else { return }
    toDaemon += bytes
    upload()
  }

  private func upload() {
    guard !isUploading, !isPaused, !isDaemonGone else { return }
    guard !toDaemon.isEmpty else {
      if hasClientClosed { daemon.inputEnded(self) }
      return
    }
    isUploading = true
    world.after(delay) { [self] in
      isUploading = false
      guard !isPaused, !isDaemonGone else { return }
      let piece = Array(toDaemon.prefix(chunk))
      toDaemon.removeFirst(piece.count)
      daemon.received(piece, on: self)
      upload()
    }
  }

  /// The client closes: what it has sent still comes.
  func closeByClient() {
    loseHello()
    hasClientClosed = true
    isClientGone = true
    upload()
    world.after(delay + Int64(random.below(500))) { [self] in endDaemon() }
  }

  // What befalls both.

  /// Cuts the connection; each side learns of it in its own time.
  func cut() {
    world.after(delay) { [self] in endDaemon() }
    world.after(delay) { [self] in endClient() }
  }

  private func endDaemon() {
    guard !isDaemonGone else { return }
    isDaemonGone = true
    daemon.ended(self)
  }

  /// The daemon is gone at once, the client learns of it.
  func crash() {
    isDaemonGone = true
    toClient.removeLast(random.below(toClient.count + 1))
    hasDaemonClosed = true
    deliver()
  }

  /// Before the client has heard anything, what it sent does not outlive the connection: a `hello`
  /// that came after that of its next connection would take over from it, and the client would be
  /// told not to come back.
  private func loseHello() {
    if !hasClientHeard { toDaemon = [] }
  }

  private func endClient() {
    guard !isClientGone else { return }
    loseHello()
    isClientGone = true
    end?.ended(self)
  }
}
