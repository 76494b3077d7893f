import DuxNetwork
import Glibc
import Synchronization
import Testing

struct SerialThreadTests {
  @Test
  func jobsRunInTheOrderTheyWereSubmitted() throws {
    let thread = try SerialThread(named: "order")
    let box = Recorder()
    for number in 0..<1_000 {
      #expect(thread.submit { box.append(number) })
    }
    thread.stopAndJoin()
    #expect(box.numbers == Array(0..<1_000))
  }

  @Test
  func everythingSubmittedBeforeTheStopIsDoneAndNothingAfter() throws {
    let thread = try SerialThread(named: "stop")
    let box = Recorder()
    thread.submit {
      box.append(1)
      // Submitted from a job: still before the stop, or refused; never lost in between.
      if thread.submit({ box.append(2) }) { box.append(3) }
    }
    thread.stopAndJoin()
    #expect([[1], [1, 3, 2]].contains(box.numbers))
    #expect(!thread.submit { box.append(4) })
    thread.stopAndJoin()
    #expect(!box.numbers.contains(4))
  }

  @Test
  func allJobsRunOnOneThreadOfTheirOwnThatBearsItsName() throws {
    let thread = try SerialThread(named: "dux-commit-thread-long")
    let box = Recorder()
    for _ in 0..<10 {
      thread.submit { box.append(Int(bitPattern: pthread_self())) }
    }
    let names = NameRecorder()
    thread.submit { names.readOwn() }
    thread.stopAndJoin()
    #expect(Set(box.numbers).count == 1)
    #expect(!box.numbers.contains(Int(bitPattern: pthread_self())))
    #expect(names.name == "dux-commit-thre")
  }

  @Test(arguments: [(SerialThread.Urgency.usual, Int32(0)), (.low, 5)])
  func aThreadOfLowUrgencyStepsBackAndNoOtherDoes(
    urgency: SerialThread.Urgency, steps: Int32
  ) throws {
    let thread = try SerialThread(named: "urgency", urgency: urgency)
    let box = Recorder()
    thread.submit {
      box.append(Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)))
    }
    thread.stopAndJoin()
    let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    // Nobody is below the lowest, where a test may run already.
    #expect(box.numbers == [Int(urgency == .low ? max(own, steps) : own)])
  }

  @Test
  func manyThreadsMaySubmitAtOnce() throws {
    let worker = try SerialThread(named: "worker")
    let sources = try (0..<4).map { try SerialThread(named: "source \($0)") }
    let box = Recorder()
    for (index, source) in sources.enumerated() {
      source.submit {
        for number in 0..<500 {
          worker.submit { box.append(index * 1_000 + number) }
        }
      }
    }
    sources.forEach { $0.stopAndJoin() }
    worker.stopAndJoin()
    #expect(box.numbers.count == 2_000)
    for index in 0..<4 {
      let own = box.numbers.filter { $0 / 1_000 == index }
      #expect(own == own.sorted())
    }
  }

  @Test
  func aForgottenThreadFinishesItsJobsAndLetsGo() throws {
    let done = Counter()
    let loop = try EventLoop()
    defer { loop.close() }
    let wakeup = try loop.makeWakeup { loop.stop() }
    do {
      let thread = try SerialThread(named: "forgotten")
      thread.submit {
        done.increment()
        wakeup.wake()
      }
    }
    loop.run()
    #expect(done.value == 1)
  }
}

/// Numbers in the order in which threads brought them.
private final class Recorder: Sendable {
  private let list = Mutex<[Int]>([])

  var numbers: [Int] {
    list.withLock { $0 }
  }

  func append(_ number: Int) {
    list.withLock { $0.append(number) }
  }
}

/// The name that the kernel has for the thread that asks.
private final class NameRecorder: Sendable {
  private let text = Mutex("")

  var name: String {
    text.withLock { $0 }
  }

  func readOwn() {
    let file = open("/proc/thread-self/comm", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = max(0, read(file, &bytes, bytes.count))
    text.withLock { $0 = String(decoding: bytes.prefix(count).filter { $0 != 10 }, as: UTF8.self) }
  }
}
