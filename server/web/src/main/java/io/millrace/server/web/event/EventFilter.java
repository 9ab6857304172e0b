package io.millrace.server.web.event;

import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which changes a listener is told: what he asked for, as far as he may know it.
 *
 * @param kinds of objects that he wants to hear of
 * @param owners whose jobs and campaigns he may hear of; of nobody's are those of which only the
 *     number is left
 */
public record EventFilter(Set<String> kinds, Predicate<Optional<String>> owners) {

  /**
   * Of a user, who hears of his own jobs, and of others' while he may see them: the administrator
   * may change that, so that it is asked anew for each job.
   *
   * @param host gives the name of his host; asked here, once: a look-up may take seconds, and who
   *     tells changes cannot wait
   * @param seesAll whether this user, at this host, may see the jobs of others
   */
  public static EventFilter of(
      Set<String> kinds, String user, Supplier<String> host, BiPredicate<String, String> seesAll) {
    String name = host.get();
    return new EventFilter(
        kinds, owner -> owner.filter(user::equals).isPresent() || seesAll.test(user, name));
  }

  boolean in(Change change) {
    return kinds.contains(change.kind())
        && (change.told().open() || owners.test(change.told().owner()));
  }
}
