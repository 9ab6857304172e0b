package io.millrace.connectors.bridge.question;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideSystem.DatabaseState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks for submissions that were not answered, and that no queue shows, by their marks in the
 * database of a system that has one, in the names of some of their accounts at a time. One that
 * does not answer is asked in one name at a time.
 */
public final class DatabaseQuestions {

  private static final int ACCOUNTS_AT_ONCE = 4;

  /** How much earlier than it is noted here a submission may stand there. */
  private static final Duration EARLIER = Duration.ofMinutes(10);

  private final OutsideSystem system;
  private final InstantSource clock;
  private final Supplier<QueryPace> paces;

  /** Of accounts whose last question was not answered. */
  private final Map<String, QueryPace> failing = new HashMap<>();

  /** Why nothing is told, by accounts. */
  private final Map<String, String> untold = new HashMap<>();

  /** Who was asked for last; others come first at the next time. */
  private String last = "";

  /**
   * @param paces each time a new one, in which something is asked
   */
  public DatabaseQuestions(OutsideSystem system, InstantSource clock, Supplier<QueryPace> paces) {
    this.system = system;
    this.clock = clock;
    this.paces = paces;
  }

  /**
   * @param wanted marks by accounts, with the moments since when they are looked for
   * @return what is told of them, empty for one that is not there; those of which nothing is told,
   *     or asked, now are not in it
   */
  public Map<OutsideTag, Optional<OutsideId>> ask(
      NavigableMap<String, Map<OutsideTag, Instant>> wanted) throws InterruptedException {
    failing.keySet().retainAll(wanted.keySet());
    untold.keySet().retainAll(wanted.keySet());
    Map<OutsideTag, Optional<OutsideId>> told = new HashMap<>();
    if (system.database() == DatabaseState.NONE) {
      wanted.values().forEach(all -> all.keySet().forEach(it -> told.put(it, Optional.empty())));
      return told;
    }
    List<String> accounts = new ArrayList<>(wanted.tailMap(last, false).keySet());
    accounts.addAll(wanted.headMap(last, true).keySet());
    Instant now = clock.instant();
    accounts.removeIf(it -> failing.containsKey(it) && !failing.get(it).isDue(now));
    for (String account : accounts.subList(0, Math.min(accounts.size(), ACCOUNTS_AT_ONCE))) {
      boolean silent = system.database() == DatabaseState.SILENT;
      last = silent ? last : account;
      Map<OutsideTag, Instant> marks = wanted.get(account);
      Instant begun = clock.instant();
      Instant first = marks.values().stream().min(Instant::compareTo).orElse(begun);
      Duration past = Duration.between(first, begun);
      Duration since = EARLIER.plus(past.isNegative() ? Duration.ZERO : past);
      Told<Map<OutsideTag, OutsideId>> said = system.inDatabase(account, marks.keySet(), since);
      if (said instanceof Told.Answered<Map<OutsideTag, OutsideId>> answer) {
        failing.remove(account);
        untold.remove(account);
        marks.keySet().forEach(it -> told.put(it, Optional.ofNullable(answer.value().get(it))));
      } else if (said instanceof Told.Nothing<Map<OutsideTag, OutsideId>> nothing) {
        untold.put(account, nothing.why());
        if (silent) {
          break; // of the others it would say the same
        }
        Duration took = Duration.between(begun, clock.instant());
        failing.computeIfAbsent(account, it -> paces.get()).failed(begun, took);
      }
    }
    return told;
  }

  /** Why submissions that were not answered are not looked for; empty when they are. */
  public Optional<String> trouble() {
    return untold.entrySet().stream()
        .findFirst()
        .map(it -> "in the name of " + it.getKey() + ": " + it.getValue());
  }
}
