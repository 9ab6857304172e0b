package io.millrace.server.gateway;

import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Site;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the server ask {@code server_priv/reservable.ad} which nodes may be reserved, each time when
 * that file changes. One thread, which looks at one file and sends one command at a time.
 */
final class ReservableWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ReservableWatch.class);

  /** Where the file is in a home. */
  static final String FILE = "server_priv/reservable.ad";

  private static final String USER = "gateway";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Site site;
  private final ReservableFile file;
  private final ZoneId zone;
  private final Thread thread;
  private final long everyMs;

  /** What was not said to the server yet, because it did not answer; null for nothing. */
  private ReservableFile.ReservableFileText due;

  private RefusalBackOff again;

  ReservableWatch(Site site, Path home, long everyMs) {
    this.site = site;
    this.everyMs = everyMs;
    this.zone = site.clock().getZone();
    this.file = new ReservableFile(home.resolve(FILE), zone);
    this.thread = new Thread(this::run, "reservable-ad");
    thread.setDaemon(true);
  }

  /**
   * Begins to look at the file.
   *
   * @param everyMs pause between two looks
   */
  static void begin(Site site, Path home, long everyMs) {
    new ReservableWatch(site, home, everyMs).thread.start();
  }

  private void run() {
    try {
      while (true) {
        turn();
        TimeUnit.MILLISECONDS.sleep(everyMs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at the file once. */
  void turn() throws InterruptedException {
    Optional<ReservableFile.ReservableFileText> found = file.look();
    if (found.isPresent() && !found.get().wrong().isEmpty()) {
      LOG.warn("{}{}; the text before stays", FILE, found.get().wrong());
      due = null;
    } else if (found.isPresent()) {
      due = found.get();
      again = new RefusalBackOff();
    }
    if (due != null && again.due() && say(due.text())) {
      due = null;
    }
  }

  /** A text and the zone of its times; both empty for no text. */
  static Map<String, String> values(String text, ZoneId zone) {
    Map<String, String> values = new TreeMap<>();
    values.put(AttributeTable.RESERVABLE, text);
    values.put(AttributeTable.RESERVABLE_ZONE, text.isEmpty() ? "" : zone.getId());
    return values;
  }

  /** Whether the server has all of this already. */
  static boolean counts(Site site, Map<String, String> values) {
    return values.entrySet().stream()
        .allMatch(it -> site.serverAttribute(it.getKey()).orElse("").equals(it.getValue()));
  }

  /** True when that was answered, or is so already. */
  private boolean say(String text) throws InterruptedException {
    Map<String, String> values = values(text, zone);
    if (counts(site, values)) {
      return true;
    }
    GatewayCommands commands = new GatewayCommands(site, USER, USER, Role.MANAGER);
    try {
      Reply reply =
          commands.setServer(values, PATIENCE).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (reply.getCode() == 0) {
        LOG.info("{} counts from now on{}", FILE, text.isEmpty() ? " no more" : "");
        return true;
      }
      String why = String.join(" ", reply.getLines());
      if (reply.getCode() == PbsError.ILLEGAL_VALUE.code()) {
        LOG.warn("{}: {}; the text before stays", FILE, why);
        return true;
      }
      if (again.refused(why)) {
        LOG.warn("{}: {}; it is tried again", FILE, why);
      }
      return false;
    } catch (ExecutionException | TimeoutException e) {
      if (again.refused(e.toString())) {
        LOG.warn("{} does not count yet: {}", FILE, e.toString());
      }
      return false;
    }
  }
}
