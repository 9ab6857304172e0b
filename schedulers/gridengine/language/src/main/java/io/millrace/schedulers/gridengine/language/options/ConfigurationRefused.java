package io.millrace.schedulers.gridengine.language.options;

/** Input that cannot be taken: where it stands and why, in one line. */
public final class ConfigurationRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Most characters of a reason, and how many of them are its beginning. */
  private static final int SHOWN = 600;

  private static final int BEGINNING = 300;

  /** A line of a text; 0 when the text as a whole is meant. */
  record ConfigurationLine(String file, int line) {

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
    super(file + (line > 0 ? ":" + line : "") + ": " + shown(reason), null, false, false);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }

  /** A reason that stays one line, and one of bearable length, whatever it quotes of a text. */
  private static String shown(String reason) {
    String shown =
        reason.length() <= SHOWN
            ? reason
            : reason.substring(0, BEGINNING)
                + "..."
                + reason.substring(reason.length() - SHOWN + BEGINNING);
    return shown.replaceAll("\\R", " ");
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
