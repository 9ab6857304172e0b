package io.millrace.schedulers.dialects.origin2000.dedicated;

import io.millrace.schemas.pbs.origin.Outage;
import io.millrace.schemas.pbs.origin.OutageText;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The dedicated times of the hosts, asked again when they are older than the cache seconds. An
 * answer that cannot be used leaves the last good one.
 */
public final class OutageCache {

  private record KnownOutages(List<Outage> outages, long at) {}

  private final Map<String, KnownOutages> known = new HashMap<>();

  /**
   * How the command is asked.
   *
   * @param command its output for a short name; empty when it could not be run
   * @param system the system's name
   * @param cacheS seconds for which an answer is used; 0: only within its second
   */
  public record Asking(
      Function<String, Optional<String>> command,
      Optional<String> system,
      long cacheS,
      ZoneId zone) {}

  /** The dedicated time in or before which a time lies; empty when there is none to come. */
  public Optional<Outage> next(String host, long time, long now, Asking asking) {
    KnownOutages cached = known.get(host);
    if (cached == null || now - cached.at() > asking.cacheS()) {
      Optional<KnownOutages> asked = ask(host, now, asking);
      asked.ifPresent(it -> known.put(host, it));
      cached = asked.orElse(cached);
    }
    return cached == null
        ? Optional.empty()
        : cached.outages().stream().filter(it -> it.end() > time).findFirst();
  }

  private static Optional<KnownOutages> ask(String host, long now, Asking asking) {
    Optional<List<Outage>> own = times(shortName(host), now, asking);
    List<Outage> system =
        asking.system().flatMap(name -> times(shortName(name), now, asking)).orElse(List.of());
    return own.map(it -> new KnownOutages(OutageMerge.of(it, system), now));
  }

  private static Optional<List<Outage>> times(String name, long now, Asking asking) {
    return asking
        .command()
        .apply(name)
        .flatMap(it -> OutageText.read(it, name, now, asking.zone()));
  }

  /** When the next dedicated time of any host begins or ends; the largest number when none does. */
  public long nextMoment(long now) {
    return known.values().stream()
        .flatMap(it -> it.outages().stream())
        .flatMapToLong(it -> LongStream.of(it.begin(), it.end()))
        .filter(it -> it > now)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Forgets everything, as after a reconfiguration. */
  public void clear() {
    known.clear();
  }

  /** A host's name up to its first dot. */
  public static String shortName(String host) {
    int dot = host.indexOf('.');
    return dot <= 0 ? host : host.substring(0, dot);
  }
}
