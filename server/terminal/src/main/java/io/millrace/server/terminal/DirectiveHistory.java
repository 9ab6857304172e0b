package io.millrace.server.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.jline.reader.impl.history.DefaultHistory;

/**
 * The last {@link #MAX} directives of a user, also those of his sessions before. They are kept in
 * the file that PBS's qmgr has, in its form, so that who comes from PBS finds his own.
 *
 * <p>A file that cannot be used is told once; the history of this session remains.
 */
final class DirectiveHistory extends DefaultHistory {
  /** In the user's home. */
  static final String FILE = ".pbs_qmgr_history";

  /** As many as PBS keeps. */
  static final int MAX = 500;

  private final OutputStream err;

  /** Null when it cannot be used. */
  private Path file;

  private DirectiveHistory(Path file, OutputStream err) {
    this.file = file;
    this.err = err;
  }

  /**
   * The history in this file, which is made when it is not there.
   *
   * @param err told when it cannot be read or written
   */
  static DirectiveHistory at(Path file, OutputStream err) throws IOException {
    DirectiveHistory history = new DirectiveHistory(file, err);
    history.read();
    return history;
  }

  private void read() throws IOException {
    try {
      new HistoryFile(file).read(MAX).forEach(line -> super.add(Instant.now(), line));
    } catch (IOException e) {
      giveUp();
    }
  }

  private void giveUp() throws IOException {
    String told = "Cannot read/write history file " + file + ", history across sessions disabled\n";
    err.write(told.getBytes(StandardCharsets.UTF_8));
    file = null;
  }

  /** The editor's own lines are not kept: several of them may be one directive. */
  @Override
  public void add(Instant time, String line) {}

  /** Keeps a directive, unless it is the same as the one before. */
  void keep(String directive) throws IOException {
    if (!isEmpty() && get(last()).equals(directive)) {
      return;
    }
    super.add(Instant.now(), directive);
    if (file == null) {
      return;
    }
    try {
      new HistoryFile(file).add(directive);
    } catch (IOException e) {
      giveUp();
    }
  }

  /**
   * The directive with this number, as {@link #text} shows it.
   *
   * @return null when there is none
   */
  String numbered(int number) {
    return number - 1 < first() || number - 1 > last() ? null : get(number - 1);
  }

  /** The last directives with their numbers, one a line. */
  String text(int most) {
    StringBuilder text = new StringBuilder();
    for (int i = Math.max(first(), last() - most + 1); i <= last(); i++) {
      text.append(i + 1).append('\t').append(get(i)).append('\n');
    }
    return text.toString();
  }
}
