package io.millrace.schedulers.core.state.promise;

import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.RequestClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which promised starts have been reported with their nodes, and which changes have yet to be:
 * those of the {@link #TOLD_MAX} jobs that are to start first. A promise moves with each early end
 * of a run, so that they are looked at from time to time and not in each cycle, and after a look no
 * more than one message is sent. What is not in it is in the message after the next look.
 */
public final class PromiseNotes {

  static final int TOLD_MAX = 100;

  /** Characters of all placements in a message; a promise that needs more is not told. */
  static final int TEXT_MAX = 100_000;

  /** Nodes of a promise that is told: what is not told is not to be written out at each look. */
  static final int NODES_MAX = 500;

  /** What an amount takes in a message beside its name. */
  private static final int AMOUNT_LENGTH = 10;

  private static final String PROMISED = "PROMISED";

  private final PromiseBook book;

  /** What was reported, by job; a promise that is kept stays the same object. */
  private final Map<Long, Promise> told = new HashMap<>();

  /** What is promised now, and is not what was reported, in the order in which it was found. */
  private final Map<Long, Promise> untold = new LinkedHashMap<>();

  /** Jobs of reported promises that do not hold any more. */
  private final TreeSet<Long> gone = new TreeSet<>();

  /** Version of the book at the last look. */
  private long seen;

  /** True from a look until a message is taken. */
  private boolean fresh;

  /** True when the jobs of {@link #told} are not those that were reported. */
  private boolean others;

  public PromiseNotes(PromiseBook book) {
    this.book = book;
  }

  /** True when a look would find anything, or some changes have not been in a message. */
  public boolean due() {
    return book.changes() != seen || !fresh && anyUntold();
  }

  private boolean anyUntold() {
    return !untold.isEmpty() || !gone.isEmpty();
  }

  /** Compares what is promised with what was reported. */
  public void look() {
    fresh = true;
    if (book.changes() == seen) {
      return;
    }
    seen = book.changes();
    Map<Long, Promise> now = new LinkedHashMap<>();
    for (int i = 0; i < book.dated() && i < TOLD_MAX; i++) {
      Promise promise = book.byStart(i);
      if (known(promise) || isTold(promise)) {
        now.put(promise.jobNumber(), promise);
      }
    }
    untold.keySet().retainAll(now.keySet());
    gone.addAll(told.keySet());
    gone.removeAll(now.keySet());
    now.values().forEach(this::compare);
  }

  private static boolean isTold(Promise promise) {
    return promise.held().size() <= NODES_MAX && length(shares(promise)) <= TEXT_MAX;
  }

  private boolean known(Promise promise) {
    long number = promise.jobNumber();
    return told.get(number) == promise || untold.get(number) == promise;
  }

  private void compare(Promise promise) {
    long number = promise.jobNumber();
    Promise before = told.get(number);
    if (before != null && (before == promise || same(before, promise))) {
      told.put(number, promise);
      untold.remove(number);
    } else {
      untold.put(number, promise);
    }
  }

  private static boolean same(Promise one, Promise other) {
    return one.fromMs() == other.fromMs() && one.held().sameTakes(other.held());
  }

  public boolean hasChanges() {
    return fresh && anyUntold();
  }

  /**
   * Takes the oldest changes for one message and counts them as reported.
   *
   * @param max at least two
   */
  public ReasonBook.ReasonChanges take(int max) {
    fresh = false;
    int places = max - 1;
    List<String> cleared = new ArrayList<>();
    while (cleared.size() < places && !gone.isEmpty()) {
      long number = gone.pollFirst();
      told.remove(number);
      others = true;
      cleared.add(RequestClass.promise(number));
    }
    List<ClassReason> reasons = new ArrayList<>();
    int room = TEXT_MAX;
    Iterator<Promise> next = untold.values().iterator();
    while (cleared.size() + reasons.size() < places && next.hasNext()) {
      Promise promise = next.next();
      List<NodeShare> shares = shares(promise);
      room -= length(shares);
      if (room < 0) {
        break;
      }
      next.remove();
      others |= told.put(promise.jobNumber(), promise) == null;
      reasons.add(
          reason(RequestClass.promise(promise.jobNumber()))
              .setUntilMs(promise.fromMs())
              .setShares(shares)
              .build());
    }
    tellNumbers(reasons, cleared);
    return new ReasonBook.ReasonChanges(reasons, cleared);
  }

  /** The jobs of reported promises, so that who asks about many jobs asks for these only. */
  private void tellNumbers(List<ClassReason> reasons, List<String> cleared) {
    if (others && told.isEmpty()) {
      cleared.add(RequestClass.PROMISES);
    } else if (others) {
      String numbers =
          told.keySet().stream().sorted().map(Object::toString).collect(Collectors.joining(","));
      reasons.add(reason(RequestClass.PROMISES).setSubject(numbers).build());
    }
    others = false;
  }

  /** What the job will hold; other nodes may be held for it without a chunk on them. */
  private static List<NodeShare> shares(Promise promise) {
    return promise.shares().stream().filter(share -> share.getChunks() > 0).toList();
  }

  private static int length(List<NodeShare> shares) {
    int length = 0;
    for (NodeShare share : shares) {
      length += share.getNode().length() + share.getHost().length();
      for (String resource : share.getAmounts().keySet()) {
        length += resource.length() + AMOUNT_LENGTH;
      }
    }
    return length;
  }

  private static ClassReason.Builder reason(String key) {
    return ClassReason.newBuilder().setClassKey(key).setCode(PROMISED);
  }
}
