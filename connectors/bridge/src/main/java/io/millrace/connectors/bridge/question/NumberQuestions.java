package io.millrace.connectors.bridge.question;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for jobs that a queue does not show by their numbers, in the names of some of their accounts
 * at a time. Where answers take long all are asked less often; an account whose questions fail is,
 * and keeps no others waiting.
 */
public final class NumberQuestions {
  private static final Logger log = LoggerFactory.getLogger(NumberQuestions.class);

  private static final int ACCOUNTS_AT_ONCE = 4;

  private final OutsideSystem system;
  private final InstantSource clock;
  private final Supplier<QueryPace> paces;

  /** Of all questions that are answered. */
  private final QueryPace pace;

  /** Of those of accounts whose last question was not. */
  private final Map<String, QueryPace> failing = new HashMap<>();

  /** Why nothing is told, by accounts. */
  private final Map<String, String> untold = new HashMap<>();

  /** With which number of an account a question begins: one that tells nothing is passed over. */
  private final Map<String, Integer> begins = new HashMap<>();

  /** Who was asked last; others come first at the next time. */
  private String last = "";

  /** Whether the queue lacks jobs that are there. */
  private boolean hides;

  /**
   * @param paces each time a new one, in which something is asked
   */
  public NumberQuestions(OutsideSystem system, InstantSource clock, Supplier<QueryPace> paces) {
    this.system = system;
    this.clock = clock;
    this.paces = paces;
    this.pace = paces.get();
  }

  /**
   * @param owned numbers of jobs by their accounts, at least one of each
   * @return what is told of them, empty for one of which nothing more is known; those of which
   *     nothing is told, or asked, now are not in it
   */
  public Map<OutsideId, Optional<OutsideJob>> ask(NavigableMap<String, List<OutsideId>> owned)
      throws InterruptedException {
    begins.keySet().retainAll(owned.keySet());
    failing.keySet().retainAll(owned.keySet());
    Instant now = clock.instant();
    Map<OutsideId, Optional<OutsideJob>> jobs = new HashMap<>();
    if (!pace.isDue(now)) {
      return jobs;
    }
    List<String> accounts = new ArrayList<>(owned.tailMap(last, false).keySet());
    accounts.addAll(owned.headMap(last, true).keySet());
    accounts.removeIf(it -> failing.containsKey(it) && !failing.get(it).isDue(now));
    Duration answered = Duration.ZERO;
    for (String account : accounts.subList(0, Math.min(accounts.size(), ACCOUNTS_AT_ONCE))) {
      last = account;
      List<OutsideId> ids = new ArrayList<>(owned.get(account));
      Collections.rotate(ids, -(begins.getOrDefault(account, 0) % ids.size()));
      Instant begun = clock.instant();
      Told<Map<OutsideId, Optional<OutsideJob>>> told = system.byNumber(account, ids);
      Duration took = Duration.between(begun, clock.instant());
      int passed =
          told instanceof Told.Answered<Map<OutsideId, Optional<OutsideJob>>> answer
              ? Math.max(1, answer.value().size())
              : 1;
      begins.merge(account, passed, (before, more) -> (before + more) % ids.size());
      if (told instanceof Told.Answered<Map<OutsideId, Optional<OutsideJob>>> answer) {
        untold.remove(account);
        failing.remove(account);
        answered = answered.plus(took);
        noteHidden(account, answer.value());
        jobs.putAll(answer.value());
      } else if (told instanceof Told.Nothing<Map<OutsideId, Optional<OutsideJob>>> nothing) {
        failing.computeIfAbsent(account, it -> paces.get()).failed(begun, took);
        if (!nothing.why().equals(untold.put(account, nothing.why()))) {
          log.warn(
              "what became of jobs of {} is not told, so they wait: {}", account, nothing.why());
        }
      }
    }
    if (!accounts.isEmpty()) {
      pace.asked(now, answered);
    }
    return jobs;
  }

  private void noteHidden(String account, Map<OutsideId, Optional<OutsideJob>> said) {
    Optional<OutsideJob> there =
        said.values().stream()
            .flatMap(Optional::stream)
            .filter(it -> it.state() != OutsideState.ENDED && it.account().equals(account))
            .findFirst();
    if (!hides && there.isPresent()) {
      hides = true;
      log.warn(
          "the queue does not show job {}, which is there as {} sees it: does it hide others' jobs"
              + " from this account?",
          there.get().id(),
          account);
    }
  }

  /** The system was silent: why its questions failed may be gone with that. */
  public void hurry() {
    pace.hurry();
    failing.clear();
  }
}
