package io.millrace.schedulers.dialects.origin2000.usage;

import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schemas.pbs.origin.StartUsage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How much each user started lately, and the file in which it outlives the scheduler: a line with
 * the day of the week, then {@code group:user figure}.
 */
public final class PastUsage {

  private static final String NO_FILE = "\nroot:root 1.0";
  private static final long SAVED_EACH_S = 3600;

  /** An hour less than a day, so that an hourly save at the same time each day decays. */
  private static final long DECAYED_EACH_S = 82_800;

  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEE", Locale.US);

  private final Map<String, Double> figures = new LinkedHashMap<>();

  /** The lines that were written last: few figures change from hour to hour. */
  private final Map<String, UsageLine> lines = new HashMap<>();

  private record UsageLine(double figure, String text) {}

  private boolean read;
  private boolean saved;
  private boolean elsewhere;
  private long savedAt;
  private long decayedAt;

  /** The figure of a user, who is put on the list when new. */
  public double of(String user) {
    return figures.computeIfAbsent(user, it -> 0.0);
  }

  /** What a job of this walltime costs its user. */
  public static double charge(long walltimeS) {
    return StartUsage.charge(walltimeS);
  }

  /** Charges a started job to a user of the list. */
  public void started(String user, long walltimeS) {
    figures.computeIfPresent(user, (name, figure) -> figure + charge(walltimeS));
  }

  /** Whether the file has still to be read, after a start or reconfiguration. */
  public boolean toBeRead() {
    return !read;
  }

  /** Makes the file be read again. */
  public void forget() {
    read = false;
  }

  /**
   * Takes the file's figures instead of the present ones.
   *
   * @param text empty when there is no file: then root alone is on the list
   * @return lines that are no user with a figure, from 1
   */
  public List<Integer> read(String text, long now) {
    figures.clear();
    List<Integer> wrong = StartUsage.read(text.isEmpty() ? NO_FILE : text, figures);
    read = true;
    decayedAt = now;
    return wrong;
  }

  /** Takes figures that are kept elsewhere, and fade there: no file is read or written. */
  public void keptElsewhere(Map<String, Double> now) {
    figures.clear();
    figures.putAll(now);
    read = true;
    elsewhere = true;
  }

  /** Whether the file is due, an hour after it was written last. */
  public boolean due(long now) {
    return !elsewhere && (!saved || now >= savedAt + SAVED_EACH_S);
  }

  /**
   * The text of the file; the figures decay first when a day is over.
   *
   * @param over whether a group is over its allocation
   */
  public String save(long now, ZoneId zone, OriginConfig config, Predicate<String> over) {
    if (now > decayedAt + DECAYED_EACH_S) {
      decayedAt = now;
      figures.replaceAll(
          (user, figure) -> {
            boolean slowly = over.test(user.split(":", 2)[0]);
            return figure
                * config.real(slowly ? OriginOption.OA_DECAY_FACTOR : OriginOption.DECAY_FACTOR);
          });
    }
    saved = true;
    savedAt = now;
    StringBuilder text = new StringBuilder();
    text.append(DAY.format(Instant.ofEpochSecond(now).atZone(zone))).append('\n');
    lines.keySet().retainAll(figures.keySet());
    figures.forEach(
        (user, figure) -> {
          if (figure > 0) {
            text.append(line(user, figure));
          }
        });
    return text.toString();
  }

  private String line(String user, double figure) {
    UsageLine known = lines.get(user);
    if (known == null || known.figure() != figure) {
      known = new UsageLine(figure, String.format(Locale.ROOT, "%s %.3f\n", user, figure));
      lines.put(user, known);
    }
    return known.text();
  }
}
