package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobSlots;

/** Which jobs there are and why they wait, as cycles have left it. */
public final class WaitingJobsView {

  private final SchedulerBooks books;

  WaitingJobsView(SchedulerBooks books) {
    this.books = books;
  }

  /** Why the class of a job waits; null when no cycle has left it. */
  public Shortage shortage(long number) {
    int slot = books.book().jobs().find(number);
    return slot == JobSlots.NONE ? null : books.book().classOf(slot).shortage();
  }

  /** Canonical text of the class of a job; empty for one that is not known. */
  public String classKey(long number) {
    int slot = books.book().jobs().find(number);
    return slot == JobSlots.NONE ? "" : books.reasons().keyOf(books.book().classOf(slot));
  }

  /** Number of the first waiting job of a class; -1 when none waits. */
  public long firstOf(ClassState owner) {
    return owner.waiting().size() == 0 ? -1 : books.book().jobs().number(owner.waiting().first());
  }

  /** Number of the classes with waiting jobs. */
  public int waitingClasses() {
    return books.book().order().size();
  }

  /** Jobs that have not finished. */
  public int jobCount() {
    return books.book().jobs().size();
  }
}
