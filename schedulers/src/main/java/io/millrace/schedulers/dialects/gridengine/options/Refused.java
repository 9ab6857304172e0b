package io.millrace.schedulers.dialects.gridengine.options;

/** Input that cannot be taken: where it stands and why, in one line. */
public final class Refused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** A line of a text; 0 stands for none. */
  record Place(String file, int line) {

    Refused refused(String reason) {
      return new Refused(file, line, reason);
    }
  }

  private final String file;
  private final int line;
  private final String reason;

  /**
   * @param file the name of the text, as the user knows it
   * @param line from 1; 0 when the text as a whole is meant
   */
  public Refused(String file, int line, String reason) {
    super(file + (line > 0 ? ":" + line : "") + ": " + reason, null, false, false);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }

  /** The same of a file in a folder. */
  public Refused in(String folder) {
    return new Refused(folder + "/" + file, line, reason);
  }

  public String file() {
    return file;
  }

  public int line() {
    return line;
  }
}
