import CSQLite

extension CheckedVFS {
  static func makeMethods() -> UnsafeMutablePointer<sqlite3_io_methods> {
    let table = makeForwards()
    table.pointee.xRead = { CheckedVFS.read($0, $1, $2, $3) }
    table.pointee.xWrite = { CheckedVFS.write($0, $1, $2, $3) }
    table.pointee.xSync = { CheckedVFS.sync($0, $1) }
    return table
  }

  /// Methods that hand their calls through to the wrapped file; reads and writes are left to the
  /// layer, which may replace others too.
  ///
  /// Version 2 of them: without the calls that map the database file into memory.
  static func makeForwards() -> UnsafeMutablePointer<sqlite3_io_methods> {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    table.initialize(to: sqlite3_io_methods())
    table.pointee.iVersion = 2
    table.pointee.xClose = { CheckedVFS.forward($0) { $1.xClose?($0) } }
    table.pointee.xTruncate = { file, size in CheckedVFS.forward(file) { $1.xTruncate?($0, size) } }
    table.pointee.xSync = { file, flags in CheckedVFS.forward(file) { $1.xSync?($0, flags) } }
    table.pointee.xFileSize = { file, size in CheckedVFS.forward(file) { $1.xFileSize?($0, size) } }
    table.pointee.xLock = { file, level in CheckedVFS.forward(file) { $1.xLock?($0, level) } }
    table.pointee.xUnlock = { file, level in CheckedVFS.forward(file) { $1.xUnlock?($0, level) } }
    table.pointee.xCheckReservedLock = { file, result in
      CheckedVFS.forward(file) { $1.xCheckReservedLock?($0, result) }
    }
    table.pointee.xFileControl = { file, operation, argument in
      CheckedVFS.forward(file) { $1.xFileControl?($0, operation, argument) }
    }
    table.pointee.xSectorSize = { CheckedVFS.forward($0) { $1.xSectorSize?($0) } }
    table.pointee.xDeviceCharacteristics = {
      CheckedVFS.forward($0) { $1.xDeviceCharacteristics?($0) }
    }
    table.pointee.xShmMap = { file, region, size, extend, memory in
      CheckedVFS.forward(file) { $1.xShmMap?($0, region, size, extend, memory) }
    }
    table.pointee.xShmLock = { file, offset, count, flags in
      CheckedVFS.forward(file) { $1.xShmLock?($0, offset, count, flags) }
    }
    table.pointee.xShmBarrier = { file in
      guard let file, let methods = CheckedVFS.inner(file).pointee.pMethods else { return }
      methods.pointee.xShmBarrier?(CheckedVFS.inner(file))
    }
    table.pointee.xShmUnmap = { file, delete in
      CheckedVFS.forward(file) { $1.xShmUnmap?($0, delete) }
    }
    return table
  }
}
