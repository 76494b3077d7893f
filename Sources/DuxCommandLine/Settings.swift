/// What a configuration file says, as texts: a number or a Boolean as it is written, a list as its items.
package struct ConfigurationFile: Equatable, Sendable {
  /// The file, for messages.
  package let path: String
  /// The values under each key.
  package let values: [String: [String]]

  /// Names the file and what it says.
  package init(path: String, values: [String: [String]]) {
    self.path = path
    self.values = values
  }
}

/// Where the value of a setting comes from, as messages name it.
package enum SettingSource: Equatable, Sendable, CustomStringConvertible {
  /// The command line; the option as it is typed.
  case commandLine(String)
  /// The environment; the name of the variable.
  case environment(String)
  /// A configuration file.
  case configuration(key: String, path: String)
  /// Nowhere: the program's own value for the option.
  case builtIn(String)

  package var description: String {
    switch self {
    case .commandLine(let option): option
    case .environment(let variable): variable
    case .configuration(let key, let path): "\(key) in \(path)"
    case .builtIn(let option): "the default of \(option)"
    }
  }
}

/// A setting that cannot be used, and where it comes from.
package struct SettingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where the value comes from.
  package let source: SettingSource
  /// What is wrong with it.
  package let reason: String

  /// Names the source and the reason.
  package init(source: SettingSource, reason: String) {
    self.source = source
    self.reason = reason
  }

  package var description: String {
    "\(source): \(reason)"
  }
}

/// The values of a program's options, wherever they come from, and from where.
package struct Settings: Equatable, Sendable {
  private struct Entry: Equatable, Sendable {
    let texts: [String]
    let source: SettingSource
  }

  private var entries: [String: Entry] = [:]

  /// Decides each option: the command line goes before the environment, that before the
  /// configuration file, and that before the default.
  ///
  /// The arguments are what the command line gives, as ``Invocation/given``. The keys of options that
  /// are `alsoKnown`, those of other commands, may stand in the file as well.
  /// - Throws: for a key of the file that no option has, and for a list where one value is wanted.
  package static func resolve(
    options: [Option], arguments: [String: [String]], environment: [String: String],
    configuration: ConfigurationFile?, alsoKnown: [Option] = []
  ) throws(SettingError) -> Settings {
    try configuration?.checkKeys(of: options + alsoKnown)
    var settings = Settings()
    for option in options {
      settings.entries[option.name] = try entry(option, arguments, environment, configuration)
    }
    return settings
  }

  /// Where the value of an option comes from; `nil` when it has none.
  package func source(of option: Option) -> SettingSource? {
    entries[option.name]?.source
  }

  /// The value of an option that has a default, or has to be given.
  ///
  /// - Throws: when it is not given, or cannot be read.
  package func value<Value>(
    of option: Option, as reader: ValueReader<Value>
  ) throws(SettingError) -> Value {
    guard let value = try optionalValue(of: option, as: reader) else {
      throw SettingError(source: .commandLine(option.spelling), reason: "is required")
    }
    return value
  }

  /// The value of an option that may be left out.
  ///
  /// - Throws: when it cannot be read.
  package func optionalValue<Value>(
    of option: Option, as reader: ValueReader<Value>
  ) throws(SettingError) -> Value? {
    try values(of: option, as: reader).last
  }

  /// The values of an option that may be given more than once, in order.
  ///
  /// - Throws: when one of them cannot be read.
  package func values<Value>(
    of option: Option, as reader: ValueReader<Value>
  ) throws(SettingError) -> [Value] {
    guard let entry = entries[option.name] else { return [] }
    var values: [Value] = []
    for text in entry.texts {
      do throws(ValueError) {
        values.append(try reader.read(text))
      } catch {
        throw SettingError(source: entry.source, reason: error.description)
      }
    }
    return values
  }

  /// Whether a flag is on; one given nowhere is off.
  ///
  /// - Throws: when the environment or the file says neither true nor false.
  package func isOn(_ option: Option) throws(SettingError) -> Bool {
    try optionalValue(of: option, as: .flag) ?? false
  }

  private static func entry(
    _ option: Option, _ arguments: [String: [String]], _ environment: [String: String],
    _ configuration: ConfigurationFile?
  ) throws(SettingError) -> Entry? {
    if let texts = arguments[option.name], !texts.isEmpty {
      return Entry(texts: texts, source: .commandLine(option.spelling))
    }
    if let variable = option.variable, let text = environment[variable], !text.isEmpty {
      return Entry(texts: split(text, for: option), source: .environment(variable))
    }
    if let key = option.key, let file = configuration, let texts = file.values[key] {
      let source = SettingSource.configuration(key: key, path: file.path)
      guard option.isRepeatable || texts.count == 1 else {
        throw SettingError(source: source, reason: "takes one value, not a list of \(texts.count)")
      }
      return Entry(texts: texts, source: source)
    }
    return option.defaultValue.map {
      Entry(texts: split($0, for: option), source: .builtIn(option.spelling))
    }
  }

  private static func split(_ text: String, for option: Option) -> [String] {
    option.isRepeatable ? text.split(separator: ",").map { String($0) } : [text]
  }
}

extension ConfigurationFile {
  /// Refuses a key that no option has: a misspelled setting must not go unnoticed.
  fileprivate func checkKeys(of options: [Option]) throws(SettingError) {
    let known = options.compactMap(\.key)
    // In order, so that the same file always gets the same message.
    for key in values.keys.sorted() where !known.contains(key) {
      let meant = Suggestion.nearest(to: key, among: known).map { ", did you mean \($0)?" }
      throw SettingError(
        source: .configuration(key: key, path: path),
        reason: "no setting has this name\(meant ?? "")")
    }
  }
}
