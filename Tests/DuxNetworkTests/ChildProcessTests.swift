import DuxNetwork
import Glibc
import Testing

/// Programs that a loop starts.
@Suite(.serialized) struct ChildProcessTests {
  /// Runs a line of the shell to its end; what it prints goes to a file that is read afterwards.
  private func run(
    _ line: String, _ variables: [String: String?] = [:], input: ChildProcess.Input = .bytes([]),
    meanwhile: (ChildProcess) -> Void = { _ in }
  ) throws -> (end: ChildProcess.End?, output: String) {
    var path = Array("/tmp/dux-child-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    defer {
      close(file)
      unlink(path)
    }
    let name = String(
      decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let loop = try EventLoop()
    var end: ChildProcess.End?
    let child = try loop.start(
      ["sh", "-c", line], variables: variables.merging(["OUT": name]) { own, _ in own },
      input: input
    ) {
      end = $0
      loop.stop()
    }
    #expect(child.isRunning)
    meanwhile(child)
    loop.run()
    #expect(!child.isRunning)
    #expect(loop.openHandleCount == 0)
    // Reaped: there is no such child any more.
    #expect(waitpid(child.id, nil, WNOHANG) == -1)
    child.signal(SIGTERM)
    loop.close()
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(file, &bytes, bytes.count)
    return (end, String(decoding: bytes[..<max(0, count)], as: UTF8.self))
  }

  @Test func `its status is told, or the signal that ended it`() throws {
    #expect(try run("exit 0").end == .exited(0))
    #expect(try run("exit 42").end == .exited(42))
    let killed = try run("kill -9 $$")
    #expect(killed.end == .killed(signal: SIGKILL))
    #expect(killed.end?.status == 137)
    #expect(try run("read x", input: .bytes([])) { $0.signal(SIGTERM) }.end != .exited(0))
  }

  @Test func `it reads what it is given, also by the name of its standard input, and then the end`()
    throws
  {
    let text = String(repeating: "a line of text\n", count: 20_000)
    #expect(
      try run("cat > $OUT; cat /dev/stdin | wc -l >> $OUT", input: .bytes(Array(text.utf8))).output
        == text + "20000\n")
    #expect(try run("exec <&-; exit 3", input: .bytes(Array(text.utf8))).end == .exited(3))
  }

  @Test func `its environment is this one's, with what is put in and without what is taken out`()
    throws
  {
    let value = "{\"ä\": \"'\n\"}"
    let output = try run("printf '%s' \"$VALUE\" > $OUT", ["VALUE": value]).output
    #expect(output == value)
    let path = try #require(getenv("PATH").map { String(cString: $0) })
    #expect(try run("printf '%s' \"$PATH\" > $OUT").output == path)
    #expect(try run("/usr/bin/env | grep -c ^PATH= > $OUT", ["PATH": "/bin"]).output == "1\n")
    #expect(try run("/usr/bin/env | grep -c ^HOME= > $OUT", ["HOME": .none]).output == "0\n")
  }

  @Test func `its signals are at their defaults`() throws {
    let status = try run("grep -E 'Sig(Ign|Blk)' /proc/self/status > $OUT").output
    let masks = status.split(separator: "\n").map { $0.split(separator: "\t").last ?? "" }
    #expect(masks.count == 2, "\(status)")
    for mask in masks {
      // Those from 32 on are the C library's own, which no program can set.
      let usual = try #require(UInt64(mask, radix: 16)) & 0x7fff_ffff
      #expect(usual == 0, "\(status)")
    }
  }

  @Test func `a program that is not there is an error that names it`() throws {
    let loop = try EventLoop()
    do {
      _ = try loop.start(["/no/such program"], variables: [:], input: .inherited) { _ in
        Issue.record("it ended")
      }
      Issue.record("it began")
    } catch {
      #expect(error.isNotFound)
      #expect("\(error)" == "cannot start /no/such program: no such file or directory")
    }
    #expect(loop.openHandleCount == 0)
    loop.close()
  }

  @Test func `many in a row leave no descriptor of theirs open`() throws {
    let loop = try EventLoop()
    var ends = 0
    for _ in 0..<20 {
      _ = try loop.start(["true"], variables: [:], input: .bytes([1, 2, 3])) { _ in
        ends += 1
        loop.stop()
      }
      loop.run()
    }
    #expect(ends == 20)
    for descriptor in 0..<Int32(256) {
      var target = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
      let name = target.prefix(max(0, count)).map(UInt8.init(bitPattern:))
      #expect(!String(decoding: name, as: UTF8.self).hasPrefix("/memfd:input"))
    }
    loop.close()
  }
}
