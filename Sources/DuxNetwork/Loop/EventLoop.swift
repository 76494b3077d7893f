import CLibUV
import Glibc

/// The thread that waits for sockets, timers, signals and other threads, and calls back.
///
/// One turn of the loop: timers that are due, then ``atEndOfTurn``, then waiting, then whatever
/// arrived. A loop and every object made with it belong to one thread; only ``Wakeup`` may be used
/// from others. Debug builds check this.
package final class EventLoop {
  let loop: UnsafeMutablePointer<uv_loop_t>
  /// Where every connection's bytes land first: a callback has used them up before the next read.
  let readBuffer: UnsafeMutableRawBufferPointer

  /// Called once a turn, after everything that arrived was handled and before the loop waits again.
  ///
  /// The place to flush and to hand a group of actions to the committing thread. Called a last time
  /// when ``run()`` ends.
  package var atEndOfTurn: (() -> Void)?

  /// How long to look for more after bytes came, before the thread sleeps; zero: not at all.
  ///
  /// Who answers at once then finds the thread awake: waking one up costs tens of microseconds,
  /// more than the answer itself. A loop on which nothing comes in that time soon lingers for one
  /// turn in 64 only, and an idle one sleeps as ever.
  ///
  /// In microseconds, since more than a moment would be a waste.
  package var lingeringUs: UInt32 = 0

  private let prepare = Handle.allocate(uv_prepare_t.self)
  private let idle = Handle.allocate(uv_idle_t.self)
  private let lingerer = Handle.allocate(uv_idle_t.self)
  private var hasNews = false
  private var lingersUntilNs: UInt64 = 0
  private var turnsBetweenLingering = 0
  private var turnsToSleep = 0
  private var deferred: [() -> Void] = []
  private var runningThread: pthread_t?
  private var isStopping = false
  /// Whether ``close()`` was called.
  private(set) var isClosed = false
  private var wakeupClosers: [ObjectIdentifier: () -> Void] = [:]

  /// Bytes of the shared read buffer.
  package static let readBufferBytes = 65_536

  /// Makes a loop; the process ignores `SIGPIPE` from here on.
  package init() throws(NetworkError) {
    loop = .allocate(capacity: 1)
    readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 16)
    let status = uv_loop_init(loop)
    guard status == 0 else {
      loop.deallocate()
      readBuffer.deallocate()
      Handle.discard(prepare)
      Handle.discard(idle)
      Handle.discard(lingerer)
      isClosed = true
      throw NetworkError(.watch, "events", status: status)
    }
    // A peer that is gone must show as an error of `write`, not end the process.
    signal(SIGPIPE, SIG_IGN)
    // Unretained, for the loop outlives each of its callbacks: `deinit` runs all handles to their end.
    loop.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    startTurnHandles()
  }

  deinit {
    close()
  }

  /// The loop that a handle runs on.
  static func of(_ loop: UnsafeMutablePointer<uv_loop_t>?) -> EventLoop? {
    guard let data = loop?.pointee.data else { return nil }
    // Set in `init` and valid until `close` has run every handle to its end.
    return Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue()
  }

  /// Runs callbacks until ``stop()``; may be called again afterwards.
  package func run() {
    precondition(!isClosed, "a closed loop cannot run")
    precondition(runningThread == nil, "a loop does not run inside itself")
    runningThread = pthread_self()
    while !isStopping {
      uv_run(loop, UV_RUN_DEFAULT)
    }
    isStopping = false
    runDeferred()
    atEndOfTurn?()
    runningThread = nil
  }

  /// Makes ``run()`` return at the end of this turn; the next one, when it is not running.
  package func stop() {
    guard !isClosed else { return }
    assertConfined()
    isStopping = true
    uv_stop(loop)
  }

  /// Closes everything that is still open on the loop, without calling back, and frees it.
  ///
  /// Objects of the loop stay safe to use, and do nothing. Not from inside ``run()``.
  package func close() {
    guard !isClosed else { return }
    precondition(runningThread == nil, "a running loop cannot be closed")
    isClosed = true
    atEndOfTurn = nil
    deferred = []
    wakeupClosers = [:]
    closeAllHandles()
    while uv_run(loop, UV_RUN_DEFAULT) != 0 {}
    let status = uv_loop_close(loop)
    assert(status == 0, "a handle was left open")
    loop.deallocate()
    readBuffer.deallocate()
  }

  /// Monotonic time at the beginning of this turn, from an arbitrary start; steps of a millisecond.
  package var now: Duration {
    isClosed ? .zero : .milliseconds(Int64(clamping: uv_now(loop)))
  }

  /// Handles that are open, the two of the loop itself left out.
  package var openHandleCount: Int {
    guard !isClosed else { return 0 }
    var count = 0
    withUnsafeMutablePointer(to: &count) { count in
      uv_walk(
        loop,
        { handle, count in
          guard handle?.pointee.data != nil, uv_is_closing(handle) == 0 else { return }
          count?.assumingMemoryBound(to: Int.self).pointee += 1
        }, count)
    }
    return count
  }

  /// Runs `body` on the loop, soon, but never inside the call that asks for it.
  func deferred(_ body: @escaping () -> Void) {
    guard !isClosed else { return }
    assertConfined()
    deferred.append(body)
    // An active idle handle keeps the loop from waiting, so that this turn or the next runs them.
    uv_idle_start(idle) { idle in EventLoop.of(idle?.pointee.loop)?.runDeferred() }
  }

  /// Checks that a handle can be opened here and now.
  func assertOpen() {
    precondition(!isClosed, "nothing can be opened on a closed loop")
    assertConfined()
  }

  /// Checks in debug builds that the caller is on the loop's thread.
  func assertConfined() {
    assert(
      runningThread.map { pthread_equal($0, pthread_self()) != 0 } ?? true,
      "an object of an event loop was used from another thread")
  }

  /// Ends a wakeup of this loop: its body is not called any more, and ``Wakeup/wake()`` does nothing.
  package func cancel(_ wakeup: Wakeup) {
    assertConfined()
    wakeupClosers.removeValue(forKey: ObjectIdentifier(wakeup))?()
  }

  /// Remembers how to close the handle behind a wakeup.
  func keep(_ wakeup: Wakeup, closer: @escaping () -> Void) {
    wakeupClosers[ObjectIdentifier(wakeup)] = closer
  }

  private func runDeferred() {
    uv_idle_stop(idle)
    let bodies = deferred
    deferred = []
    for body in bodies {
      body()
    }
  }

  private func startTurnHandles() {
    // None of these can fail; see uv_prepare_init and uv_idle_init. The prepare handle stays
    // referenced, so that the loop waits even while nothing else is open.
    uv_prepare_init(loop, prepare)
    uv_idle_init(loop, idle)
    uv_idle_init(loop, lingerer)
    uv_prepare_start(prepare) { prepare in EventLoop.of(prepare?.pointee.loop)?.endTurn() }
  }

  /// Notes that bytes came.
  func noteNews() { hasNews = true }

  private func endTurn() {
    atEndOfTurn?()
    if hasNews, lingeringUs > 0 {
      linger()
    } else if lingersUntilNs != 0, uv_hrtime() > lingersUntilNs {
      // In vain: the next few times it sleeps at once.
      turnsBetweenLingering = min(max(1, turnsBetweenLingering * 2), 64)
      turnsToSleep = turnsBetweenLingering
      lingersUntilNs = 0
      uv_idle_stop(lingerer)
    }
    hasNews = false
  }

  private func linger() {
    if lingersUntilNs != 0 {
      turnsBetweenLingering = 0
    } else if turnsToSleep > 0 {
      turnsToSleep -= 1
      return
    } else {
      // An active idle handle keeps the loop from sleeping.
      uv_idle_start(lingerer) { _ in }
    }
    lingersUntilNs = uv_hrtime() &+ UInt64(lingeringUs) &* 1_000
  }

  /// Whether the loop stays awake for more.
  var isLingering: Bool { lingersUntilNs != 0 }

  private func closeAllHandles() {
    uv_walk(
      loop,
      { handle, _ in
        guard let handle, uv_is_closing(handle) == 0 else { return }
        guard let data = handle.pointee.data else { return Handle.close(handle) }
        // Every handle with `data` was tied to an owner, which has to learn that it is closed.
        let owner = Unmanaged<AnyObject>.fromOpaque(data).takeUnretainedValue()
        (owner as? any HandleOwner)?.closeHandle()
      }, nil)
  }
}
