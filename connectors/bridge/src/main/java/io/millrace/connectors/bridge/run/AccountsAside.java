package io.millrace.connectors.bridge.run;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accounts in whose name nothing can be submitted for now, in pauses that grow. Their runs wait;
 * those of others go on.
 */
final class AccountsAside {
  private static final Logger log = LoggerFactory.getLogger(AccountsAside.class);

  private record AccountPause(String why, Duration length, Instant end, boolean full) {

    /** Whether it lasts; not where the clock was put back to before it began. */
    boolean lasts(Instant now) {
      return now.isBefore(end) && !now.isBefore(end.minus(length));
    }
  }

  /** So many answers in a row that are not clear are no accident. */
  private static final int UNCLEAR = 3;

  private final Duration first;
  private final Duration longest;
  private final Map<String, AccountPause> pauses = new TreeMap<>();

  /** Unclear answers in a row, by accounts. */
  private final Map<String, Integer> unclear = new HashMap<>();

  AccountsAside(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
  }

  /**
   * Nothing was carried out in the name of an account. Refusals of submissions that were under way
   * together are one, so that the pause grows once.
   */
  void refused(String account, String why, Instant now) {
    if (has(account, now)) {
      return;
    }
    AccountPause last = pauses.get(account);
    Duration twice = last == null || last.full() ? first : last.length().multipliedBy(2);
    Duration length = twice.compareTo(longest) > 0 ? longest : twice;
    pauses.put(account, new AccountPause(why, length, now.plus(length), false));
    if (last == null || !last.why().equals(why)) {
      log.warn("nothing is submitted in the name of {}, whose runs wait: {}", account, why);
    }
  }

  /**
   * It is not known what became of a submission in its name; some in a row set it aside.
   *
   * @return whether it is the first one since its last answer
   */
  boolean unclear(String account, String why, Instant now) {
    int count = unclear.merge(account, 1, Integer::sum);
    if (count >= UNCLEAR) {
      refused(account, why, now);
    }
    return count == 1;
  }

  /** It has as many jobs there as it may have, until some of them end: a pause that stays short. */
  void full(String account, String why, Instant now) {
    pauses.put(account, new AccountPause(why, first, now.plus(first), true));
  }

  /** Something was carried out in its name. */
  void answered(String account) {
    unclear.remove(account);
    AccountPause last = pauses.remove(account);
    if (last != null && !last.full()) {
      log.info("runs are submitted in the name of {} again", account);
    }
  }

  /** Of others, as those that have no run any more, nothing is known. */
  void keep(Predicate<String> accounts) {
    pauses.keySet().removeIf(accounts.negate());
    unclear.keySet().removeIf(accounts.negate());
  }

  boolean has(String account, Instant now) {
    AccountPause pause = pauses.get(account);
    return pause != null && pause.lasts(now);
  }

  /** Why an account is; empty when it is not. */
  Optional<String> trouble(String account) {
    return Optional.ofNullable(pauses.get(account)).map(AccountPause::why);
  }

  /** Who is set aside for another reason than a limit, and why; empty when nobody is. */
  Optional<String> trouble() {
    return pauses.entrySet().stream()
        .filter(it -> !it.getValue().full())
        .findFirst()
        .map(it -> "in the name of " + it.getKey() + ": " + it.getValue().why());
  }
}
