package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideNumber;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The clock of a server, by the times that it has given to jobs and hosts: no command asks for it.
 * That it is ahead shows in a time that is yet to come; that it is behind only where hosts report
 * in short intervals, with the server's time of each report.
 */
public final class PbsClock {

  /** A host reports several times in it, or is down. */
  static final Duration REPORTS = Duration.ofMinutes(10);

  private static final List<String> TIMES = List.of("last_state_change_time", "last_used_time");

  private static final Pattern RECEIVED = Pattern.compile("(?:^|,)rectime=([0-9]{1,12})(?:,|$)");

  private static final String CURE =
      "have both follow one clock (NTP), or raise 'clock_skew_s'; give this process the server's"
          + " time zone in TZ";

  private PbsClock() {}

  /**
   * Compares it with the one here.
   *
   * @param skewS by how much they may differ
   */
  public static CheckLine check(
      List<OutsideJob> jobs, List<OutsideHost> hosts, Instant now, long skewS) {
    Instant latest = Instant.MIN;
    Instant received = Instant.MIN;
    for (OutsideJob job : jobs) {
      latest = later(latest, job.submitted());
    }
    for (OutsideHost host : hosts) {
      for (String name : TIMES) {
        latest = later(latest, OutsideNumber.time(host.fields().getOrDefault(name, "")));
      }
      Matcher report = RECEIVED.matcher(host.fields().getOrDefault("status", ""));
      if (report.find()) {
        received = later(received, OutsideNumber.time(report.group(1)));
      }
    }
    latest = later(latest, Optional.of(received));
    if (latest.isAfter(now.plusSeconds(skewS))) {
      long ahead = Duration.between(now, latest).toSeconds();
      return CheckLine.wrong("the clock of the server is ahead by " + ahead + " s or more", CURE);
    }
    if (received.equals(Instant.MIN)) {
      return CheckLine.good("clock of the server: no time of it is yet to come");
    }
    long ago = Duration.between(received, now).toSeconds();
    return ago <= REPORTS.toSeconds() + skewS
        ? CheckLine.good("clock of the server")
        : CheckLine.wrong(
            "the clock of the server is behind, or no host has reported since " + ago + " s", CURE);
  }

  private static Instant later(Instant one, Optional<Instant> other) {
    return other.filter(it -> it.isAfter(one)).orElse(one);
  }
}
