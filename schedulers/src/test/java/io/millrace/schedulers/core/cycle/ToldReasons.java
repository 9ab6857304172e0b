package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.limit.LimitBound;
import java.util.TreeSet;

/** The reasons that a scheduler tells for classes of jobs that wait. */
final class ToldReasons {

  private ToldReasons() {}

  /** Checks that a limit reported as a class's reason still holds its jobs back. */
  static void limitsAreReached(SchedulerState state, String where) {
    SchedulerBooks books = state.books();
    books
        .book()
        .classes()
        .each(
            it -> {
              Shortage noted = noted(it);
              if (noted != null && noted.limited() && !it.dirty() && !it.backingOff()) {
                LimitBound waitsFor = books.eligibility().waitsFor(it);
                assertTrue(waitsFor != null, where + ": nobody wakes " + noted);
                assertEquals(waitsFor.shortage().subject(), noted.subject(), where);
                assertEquals(waitsFor.shortage().code(), noted.code(), where);
                assertTrue(waitsFor.reached(waitsFor.meter().promised()), where);
              }
            });
  }

  private static Shortage noted(ClassState owner) {
    return owner.note() == null ? null : owner.note().shortage();
  }

  /** The classes for which a reason is reported. */
  static TreeSet<String> of(SchedulerState of) {
    TreeSet<String> keys = new TreeSet<>();
    of.books()
        .book()
        .classes()
        .each(
            it -> {
              if (noted(it) != null) {
                keys.add(it.key(of.books().names()));
              }
            });
    return keys;
  }
}
