package io.millrace.server.core.admission;

import io.millrace.schemas.fact.LimitAsked;
import io.millrace.schemas.fact.LimitGranted;
import io.millrace.schemas.fact.LimitLeased;
import io.millrace.schemas.fact.LimitReturned;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.LimitBook;
import io.millrace.schemas.state.LimitLease;
import io.millrace.server.core.state.State;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the jobs against which the limits of queues and of the server hold, and applies leases.
 */
public final class Appliers {
  private static final long NOT_ASKED = -1;

  public void follow(State state, Job before, Job after) {
    QueuedJobs.replace(state, before, after);
    int jobs = QueuedJobs.weight(before);
    if (after == null && jobs != 0 && ServerLimits.shared(state)) {
      // Only a hand-over takes a job away that has not ended.
      LimitLeases.gone(state, before.getSpec(), jobs);
    }
  }

  public void apply(State state, LimitAsked fact) {
    LimitLease lease = LimitLeases.of(state, fact.getLimit());
    lease.setAskedMs(fact.getMeta().getAtMs());
    LimitLeases.put(state, lease);
  }

  public void apply(State state, LimitGranted fact) {
    LimitLease lease = LimitLeases.of(state, fact.getLimit());
    lease.setAmount(fact.getAmount());
    lease.setAskedMs(NOT_ASKED);
    LimitLeases.put(state, lease);
  }

  public void apply(State state, LimitReturned fact) {
    LimitLease lease = LimitLeases.of(state, fact.getLimit());
    lease.setAmount(fact.getAmount());
    lease.setGone(0L);
    if (lease.getAmount() == 0 && lease.getAskedMs() < 0) {
      state.table(LimitLease.class).remove(fact.getLimit()); // as if there were none
    } else {
      LimitLeases.put(state, lease);
    }
  }

  public void apply(State state, LimitLeased fact) {
    LimitBook book = fact.getBook();
    boolean empty =
        book.getNeeds().isEmpty()
            && book.getAwaited().isEmpty()
            && book.getTurns().isEmpty()
            && book.getMoved() + book.getMovedBefore() == 0
            && book.getLeased().values().stream().allMatch(it -> it == 0);
    if (empty) {
      state.table(LimitBook.class).remove(book.getLimit()); // nobody has any
    } else {
      state.table(LimitBook.class).put(book.getLimit(), book);
    }
  }

  /** Applies that the clock was set back: what was asked for is waited for as long as before. */
  public static void setBack(State state, long byMs) {
    List<LimitLease> asked = new ArrayList<>();
    state
        .table(LimitLease.class)
        .scan("", null, (key, lease) -> lease.getAskedMs() < 0 || asked.add(lease));
    for (LimitLease lease : asked) {
      LimitLease after = LimitLease.newBuilder(lease).build();
      after.setAskedMs(Math.max(0, lease.getAskedMs() - byMs));
      LimitLeases.put(state, after);
    }
    List<LimitBook> books = new ArrayList<>();
    state
        .table(LimitBook.class)
        .scan("", null, (key, book) -> book.getRoundMs() < 0 || books.add(book));
    for (LimitBook book : books) {
      LimitBook after = LimitBook.newBuilder(book).build();
      after.setRoundMs(Math.max(0, book.getRoundMs() - byMs));
      after.getTurns().forEach(turn -> turn.setAtMs(Math.max(0, turn.getAtMs() - byMs)));
      state.table(LimitBook.class).put(book.getLimit(), after);
    }
  }
}
