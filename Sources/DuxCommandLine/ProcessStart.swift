import Glibc

/// What a program sees to before anything else.
package enum ProcessStart {
  /// Fills the places of standard input, output and error where whoever started the program left them
  /// empty, so that no file or socket opened later is taken for one of them.
  ///
  /// Reading gives the end at once; writing fails, as to a closed descriptor.
  package static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is taken, which is this one: those below are open by now.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The words of the command line behind the program's name.
  ///
  /// - Throws: ``ValueError`` for a word that is not UTF-8: repairing it would make another path or
  ///   value of it.
  package static func arguments() throws(ValueError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = CommandLine.unsafeArgv[index] else { continue }
      guard let text = String(validatingCString: word) else {
        throw ValueError(String(cString: word), "is argument \(index) and no UTF-8")
      }
      words.append(text)
    }
    return words
  }
}
