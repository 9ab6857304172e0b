package io.millrace.server.gateway.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connections whose openings are not there yet, in the order in which they came. A newcomer is
 * always let in: beyond the bound of a user his own oldest one makes room, beyond that of all the
 * oldest one of the user who has most. So silent connections keep out nobody else, and a client
 * that sends its opening at once is served however many are silent. Used by one thread.
 */
final class PendingOpenings {
  private final int most;
  private final int mostOfUser;
  private final Collection<PendingOpening> all = new LinkedHashSet<>();
  private final Map<String, Collection<PendingOpening>> byUser = new HashMap<>();

  PendingOpenings(int most, int mostOfUser) {
    this.most = most;
    this.mostOfUser = mostOfUser;
  }

  /** Adds one; gives the one that has to go for it, which is taken out. */
  Optional<PendingOpening> add(PendingOpening opening) {
    Optional<PendingOpening> victim = Optional.empty();
    Collection<PendingOpening> ofUser = byUser.getOrDefault(opening.user(), List.of());
    if (ofUser.size() >= mostOfUser) {
      victim = ofUser.stream().findFirst();
    } else if (all.size() >= most) {
      victim = oldestOfTheLargest();
    }
    victim.ifPresent(this::remove);
    all.add(opening);
    byUser.computeIfAbsent(opening.user(), user -> new LinkedHashSet<>()).add(opening);
    return victim;
  }

  /** The oldest one of the user who has most. */
  Optional<PendingOpening> oldestOfTheLargest() {
    Collection<PendingOpening> largest = List.of();
    for (Collection<PendingOpening> each : byUser.values()) {
      largest = each.size() > largest.size() ? each : largest;
    }
    return largest.stream().findFirst();
  }

  /** The one that came first of all. */
  Optional<PendingOpening> oldest() {
    return all.stream().findFirst();
  }

  void remove(PendingOpening opening) {
    if (all.remove(opening)) {
      byUser.computeIfPresent(
          opening.user(),
          (user, ofUser) -> {
            ofUser.remove(opening);
            return ofUser.isEmpty() ? null : ofUser;
          });
    }
  }

  /** Takes out all. */
  List<PendingOpening> clear() {
    List<PendingOpening> left = new ArrayList<>(all);
    all.clear();
    byUser.clear();
    return left;
  }
}
