package io.millrace.connectors.bridge.command;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines of a followed command as one of those who read them takes them. */
public final class FollowedLines {
  private static final Logger log = LoggerFactory.getLogger(FollowedLines.class);

  /** Lines that wait to be taken; the oldest give way. */
  static final int MOST = 10_000;

  private final FollowedCommand command;
  private final Deque<String> lines = new ArrayDeque<>();
  private boolean full;

  FollowedLines(FollowedCommand command) {
    this.command = command;
  }

  synchronized void add(String line) {
    if (lines.size() == MOST) {
      lines.removeFirst();
      if (!full) {
        log.warn("{} says more than is read of it", command.program());
        full = true;
      }
    }
    lines.addLast(line);
  }

  /**
   * The lines since the last call, the oldest first; some may be lost. A command that is silent for
   * too long is ended.
   */
  public List<String> take() {
    command.endSilent();
    synchronized (this) {
      List<String> taken = List.copyOf(lines);
      lines.clear();
      full = false;
      return taken;
    }
  }
}
