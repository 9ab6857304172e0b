package io.millrace.schedulers.gridengine.language.options;

/** Input that cannot be taken: where it stands and why, in one line. */
public final class ConfigurationRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** A line of a text; 0 when the text as a whole is meant. */
  record Place(String file, int line) {

    ConfigurationRefused refused(String reason) {
      return new ConfigurationRefused(file, line, reason);
    }
  }

  private final String file;
  private final int line;
  private final String reason;

  /**
   * @param file the name of the text, as the user knows it
   * @param line from 1; 0 when the text as a whole is meant
   */
  public ConfigurationRefused(String file, int line, String reason) {
    super(file + (line > 0 ? ":" + line : "") + ": " + reason, null, false, false);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }

  /** A copy with the folder put before the file's name. */
  public ConfigurationRefused in(String folder) {
    return new ConfigurationRefused(folder + "/" + file, line, reason);
  }

  public String file() {
    return file;
  }

  public int line() {
    return line;
  }
}
