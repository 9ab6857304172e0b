package io.millrace.ops.plus;

import io.millrace.reservations.classad.plus.NodeQuestion;
import io.millrace.reservations.classad.plus.NodeRecord;
import io.millrace.reservations.classad.plus.ReservableRule;
import io.millrace.reservations.classad.plus.Utilisation;
import io.millrace.reservations.classad.text.TimeText;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Who asks for which node, when, as options say it.
 *
 * @param used what of reservations the user has
 */
public record SampleQuestion(
    NodeQuestion question, ReservableRule.Moment moment, Utilisation.ReservationSum used) {

  private static final List<String> NAMES =
      List.of("--user", "--now", "--start", "--end", "--node", "--nodes", "--used");

  private static final int MOST_NODES = 10_000;
  private static final double FURTHEST_S = 1e12;

  /** Adds the options of a sample to those of a program. */
  public static ProgramOptions add(ProgramOptions to) {
    return to.value("--user", "NAME", "explain of a ClassAd: who asks (default user)")
        .value("--now", "TIME", "the time, as 2026-11-24T18:00:00+09:00 (default now)")
        .value("--start", "TIME", "begin of the reservation, also as +2h30m (default +1h)")
        .value("--end", "TIME", "its end; + counts from its begin (default +1h)")
        .value("--node", "NAME=VALUE,..", "the node: name, isAlive, loadavg, ncpus, mem, ...")
        .value("--nodes", "HAS,ALL", "nodes that it has, and that there are (default 0,1)")
        .value("--used", "N,TIME,HOURS", "reservations of the user (default 0,0,0)");
  }

  /**
   * Refuses options of a sample where none is asked for.
   *
   * @throws UsageException when one is given and {@code wanted} is false
   */
  public static void onlyWhen(boolean wanted, GivenOptions options) throws UsageException {
    Optional<String> given = NAMES.stream().filter(options::has).findFirst();
    if (!wanted && given.isPresent()) {
      throw options.wrong(given.get() + " is for explain of a ClassAd");
    }
  }

  /**
   * Reads the options.
   *
   * @param clock for the time and the place where they are not given
   * @throws UsageException with one line for a value that is wrong
   */
  public static SampleQuestion of(GivenOptions options, Clock clock) throws UsageException {
    Instant now = options.has("--now") ? time(options, "--now", clock, null) : clock.instant();
    Instant start =
        options.has("--start") ? time(options, "--start", clock, now) : now.plusSeconds(3600);
    Instant end =
        options.has("--end") ? time(options, "--end", clock, start) : start.plusSeconds(3600);
    if (!end.isAfter(start)) {
      throw options.wrong("--end is not after the begin of the reservation");
    }
    NodeRecord node = SampleNode.of(options);
    long[] counts = counts(options);
    NodeQuestion question =
        new NodeQuestion(
            options.get("--user").orElse("user"),
            start,
            end,
            node.attributes(),
            several(node, counts[0]),
            several(node, counts[1]));
    ReservableRule.Moment moment =
        new ReservableRule.Moment(now, clock.getZone(), new SplittableRandom(now.getEpochSecond()));
    return new SampleQuestion(question, moment, used(options));
  }

  private static List<RecordExpression> several(NodeRecord node, long count) {
    return Collections.nCopies((int) count, node.attributes());
  }

  /**
   * Reads a time.
   *
   * @param from what a length counts from; null when only a date is right
   */
  private static Instant time(GivenOptions options, String name, Clock clock, Instant from)
      throws UsageException {
    String text = options.require(name);
    if (from != null && text.startsWith("+")) {
      double length = TimeText.relative(text.substring(1));
      if (Math.abs(length) <= FURTHEST_S) {
        return from.plusSeconds((long) length);
      }
    } else {
      TimeText.WrittenTime written = TimeText.absolute(text);
      if (written != null) {
        return Instant.ofEpochSecond(written.at(clock.getZone()).seconds());
      }
    }
    throw options.wrong(
        name
            + " takes a time as 2026-11-24T18:00:00+09:00"
            + (from == null ? "" : " or +2h30m")
            + ", not '"
            + text
            + "'");
  }

  private static long[] counts(GivenOptions options) throws UsageException {
    String text = options.get("--nodes").orElse("0,1");
    if (text.matches("[0-9]{1,5},[0-9]{1,5}")) {
      String[] parts = text.split(",");
      long[] counts = {Long.parseLong(parts[0]), Long.parseLong(parts[1])};
      if (counts[0] <= counts[1] && counts[1] <= MOST_NODES) {
        return counts;
      }
    }
    throw options.wrong(
        "--nodes takes how many nodes it has and how many there are, at most "
            + MOST_NODES
            + ", as 0,20, not '"
            + text
            + "'");
  }

  private static Utilisation.ReservationSum used(GivenOptions options) throws UsageException {
    String text = options.get("--used").orElse("0,0,0");
    String[] parts = text.split(",", -1);
    if (parts.length == 3
        && parts[0].matches("[0-9]{1,9}")
        && parts[2].matches("[0-9]{1,12}(\\.[0-9]{1,12})?")) {
      double length = TimeText.relative(parts[1]);
      if (length >= 0 && length <= FURTHEST_S) {
        return new Utilisation.ReservationSum(
            Long.parseLong(parts[0]), length, Double.parseDouble(parts[2]));
      }
    }
    throw options.wrong(
        "--used takes a number of reservations, their length and their hours of nodes, as"
            + " 3,1d12h,72, not '"
            + text
            + "'");
  }
}
