package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.files.FileUnread;
import io.millrace.connectors.bridge.files.FileUnread.UnreadCause;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs of which a file cannot be read, whether a disk fails or its account has seen to it. Nothing
 * is known of them, and all others go on.
 */
final class UnreadRuns {
  private static final Logger log = LoggerFactory.getLogger(UnreadRuns.class);

  /** Most of which a line is written in a day: an account can spoil the files of many. */
  static final int SAID_MOST = 20;

  private static final Duration DAY = Duration.ofDays(1);

  /** Most that are kept; anybody can give jobs of his own any marks. */
  private static final int KEPT_MOST = 10_000;

  private final BridgeParts parts;
  private final Map<OutsideTag, String> unread = new HashMap<>();
  private Instant since = Instant.MIN;
  private int said;

  UnreadRuns(BridgeParts parts) {
    this.parts = parts;
  }

  /** A look at a run, which may read its files. */
  interface RunLook {
    void look() throws IOException, InterruptedException;
  }

  /**
   * Looks at a run. Where its files cannot be read it is not heard of.
   *
   * @return whether they could, as far as they were wanted
   * @throws UncheckedIOException when the host of all files is not reached
   */
  boolean passes(OutsideTag tag, RunLook look) throws IOException, InterruptedException {
    try {
      look.look();
      unread.remove(tag);
      return true;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof FilesUnreached) {
        throw e;
      }
      say(tag, e.getCause());
      Optional<OutsideRun> run = parts.journal().run(tag).filter(it -> it.state().isOutside());
      if (run.isPresent() && run.get().state() != OutsideRunState.NOT_HEARD_OF) {
        parts.journal().put(run.get().seen(OutsideRunState.NOT_HEARD_OF, parts.clock().instant()));
      }
      return false;
    }
  }

  private void say(OutsideTag tag, IOException why) {
    boolean skipped = why instanceof FileUnread it && it.why() == UnreadCause.SKIPPED;
    if (unread.size() < KEPT_MOST || unread.containsKey(tag)) {
      String before = unread.put(tag, String.valueOf(why.getMessage()));
      if (before != null || skipped) {
        return;
      }
    }
    Instant now = parts.clock().instant();
    if (since.equals(Instant.MIN) || now.isBefore(since) || !now.isBefore(since.plus(DAY))) {
      since = now;
      said = 0;
    }
    if (said < SAID_MOST) {
      log.warn("{}: nothing is known of it, and others go on: {}", tag, why.getMessage());
    } else if (said == SAID_MOST) {
      log.warn("files of further runs cannot be read, which is not said of each today");
    }
    said = Math.min(said + 1, SAID_MOST + 1);
  }

  /** Why a run is not heard of; empty where its files were read, or not wanted. */
  Optional<String> trouble(OutsideTag tag) {
    return Optional.ofNullable(unread.get(tag));
  }

  void forget(OutsideTag tag) {
    unread.remove(tag);
  }

  /** Forgets all others. */
  void keep(Collection<OutsideTag> tags) {
    unread.keySet().retainAll(tags);
  }
}
