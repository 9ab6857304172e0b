package io.millrace.schedulers.core.state.reservation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The reservations that have not ended, and which of them wait for a decision. */
public final class ReservationBook {

  private final Map<Long, KnownReservation> all = new HashMap<>();

  /** Numbers of those with a wish that the next cycle looks at. */
  private final TreeSet<Long> due = new TreeSet<>();

  /** Those for which there was no room, with the state of things in which that was found. */
  private final TreeMap<Long, Long> waiting = new TreeMap<>();

  /** Those about which a proposal is on its way. */
  private final Set<Long> proposed = new HashSet<>();

  /** Those whose proposal was refused and that pause. */
  private final Set<Long> pausing = new HashSet<>();

  /** Which partitions the scheduler serves: the others' reservations are no concern of it. */
  private final Predicate<String> serves;

  public ReservationBook(Predicate<String> serves) {
    this.serves = serves;
  }

  public KnownReservation get(long number) {
    return all.get(number);
  }

  /** A record has come; what it wishes is looked at, unless that is under way already. */
  public void put(KnownReservation now) {
    all.put(now.number(), now);
    proposed.remove(now.number());
    again(now.number());
  }

  public void remove(long number) {
    all.remove(number);
    due.remove(number);
    waiting.remove(number);
    proposed.remove(number);
    pausing.remove(number);
  }

  /** Has a reservation looked at by the next cycle if it has a wish. */
  public void again(long number) {
    KnownReservation known = all.get(number);
    due.remove(number);
    waiting.remove(number);
    boolean free = !proposed.contains(number) && !pausing.contains(number);
    if (known != null && known.wish() != null && free && serves.test(known.partition())) {
      due.add(number);
    }
  }

  /** Has all reservations with a wish looked at again. */
  public void retry() {
    all.values().stream().filter(it -> it.wish() != null).forEach(it -> again(it.number()));
  }

  /** The next to look at, by number; null for none. */
  public Long dueAfter(long number) {
    return due.higher(number);
  }

  /** Those behind a number that wait for room, with what was said when that was found. */
  public Map<Long, Long> waitingAfter(long number) {
    return waiting.tailMap(number, false);
  }

  /** A cycle has found no room. */
  public void waits(long number, long state) {
    due.remove(number);
    waiting.put(number, state);
  }

  /** A cycle proposes something; nothing else is decided about it until that is answered. */
  public void proposed(long number) {
    due.remove(number);
    waiting.remove(number);
    proposed.add(number);
  }

  public boolean isProposed(long number) {
    return proposed.contains(number);
  }

  /** The reservation is not looked at until {@link #resume}. */
  public void pause(long number) {
    proposed.remove(number);
    due.remove(number);
    waiting.remove(number);
    pausing.add(number);
  }

  public void resume(long number) {
    pausing.remove(number);
    again(number);
  }

  /** A proposal has had no answer. */
  public void unanswered(long number) {
    proposed.remove(number);
    again(number);
  }
}
