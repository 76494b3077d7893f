import DuxStorage
import Glibc
import Testing

@Suite struct DataFolderTests {
  let folder = TemporaryFolder()

  @Test func missingFoldersAreMadeForTheOwnerAlone() throws {
    let path = folder.path + "/a/b/data"
    let opened = try DataFolder(path: path)
    #expect(opened.path == path)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test func aSecondDaemonIsRefusedAndToldWhoIsThere() throws {
    let first = try DataFolder(path: folder.data)
    let refused = storageError { _ = try DataFolder(path: folder.data) }
    #expect(refused?.kind == .busy(pid: getpid()))
    #expect(refused?.description.contains("process \(getpid())") == true)
    #expect(refused?.description.contains(first.path) == true)
  }

  @Test func theLockOfAnotherProcessCountsAndEndsWithIt() throws {
    _ = try DataFolder(path: folder.data)
    let ready = folder.path + "/ready"
    mkfifo(ready, 0o600)
    // Without a fork, so that there is one process to hold the lock and to end.
    let child = try #require(
      start(
        "/usr/bin/flock", "--no-fork", folder.data + "/lock", "/bin/sh", "-c",
        "echo > \(ready); exec sleep 600"))
    close(open(ready, O_RDONLY))
    let refused = storageError { _ = try DataFolder(path: folder.data) }
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    guard case .busy = refused?.kind else {
      Issue.record("the folder was not busy: \(String(describing: refused))")
      return
    }
    _ = try DataFolder(path: folder.data)
  }

  @Test func aFileInTheFoldersPlaceIsRefused() throws {
    write("hello".utf8, to: folder.data)
    #expect(storageError { _ = try DataFolder(path: folder.data) }?.kind == .unwritable)
    #expect(
      storageError { _ = try DataFolder(path: folder.data + "/below") }?.kind == .unwritable)
    #expect(contents(folder.data) == Array("hello".utf8))
  }

  @Test(arguments: ["", "/proc/nothing/here", "/dev/null"])
  func pathsThatCannotBeFoldersAreRefused(path: String) {
    #expect(storageError { _ = try DataFolder(path: path) } != nil)
  }

  // The superuser may write everywhere, so there is nothing to see for it.
  @Test(.enabled(if: geteuid() != 0))
  func aFolderThatMayNotBeWrittenIsRefused() throws {
    mkdir(folder.data, 0o500)
    #expect(storageError { _ = try DataFolder(path: folder.data) }?.kind == .unwritable)
  }
}
