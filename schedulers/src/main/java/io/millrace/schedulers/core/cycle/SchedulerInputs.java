package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.WaitedTime;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schemas.state.PastReservation;
import java.util.Map;
import java.util.Set;

/** What a scheduler is told that is no fact of its shard. */
public final class SchedulerInputs {

  private final SchedulerBooks books;

  SchedulerInputs(SchedulerBooks books) {
    this.books = books;
  }

  /** Sets the policy that holds while the scheduler object names none. */
  public void standard(Policy policy) {
    books.rearrangement().standard(policy);
  }

  /**
   * Sets resources that jobs ask for and nodes are not asked about; before the jobs are known.
   *
   * @param resources names
   */
  public void unchecked(Set<String> resources) {
    books.names().unchecked(resources);
  }

  /**
   * Sets resources that jobs ask for and nobody is asked about, also while jobs are known.
   *
   * @param resources names
   */
  public void uncompared(Set<String> resources) {
    books.rearrangement().uncompared(resources);
  }

  /**
   * Sets resources of which a node that says nothing has endlessly much.
   *
   * @param resources names
   */
  public void endless(Set<String> resources) {
    books.nodes().endless(resources);
  }

  /**
   * Sets what the server has of resources by others than its attributes, in place of those.
   *
   * @param amounts by resource, as an attribute would say them
   */
  public void outside(Map<String, String> amounts) {
    books.cluster().outside(amounts);
  }

  /**
   * Others have the rest of what the server has of a resource.
   *
   * @param left beside what runs here
   */
  public void leased(String resource, long left) {
    if (books.eligibility().lease(resource, left)) {
      books.promiseFacts().searchAll();
    }
  }

  /** Nothing is known of what others have of the server's resources. */
  public void endLeases() {
    if (books.eligibility().endLeases()) {
      books.promiseFacts().searchAll();
    }
  }

  /**
   * Has a few classes tried again that wait for what others have of the server's resources.
   *
   * @return whether there are any
   */
  public boolean tryBeyondLeases() {
    return books.eligibility().tryBeyondLeases(books.book().sequence());
  }

  /** Sets who knows how long jobs have waited for resources, for formulas. */
  public void waited(WaitedTime times) {
    books.keys().waited(times);
  }

  /** A reservation that had ended before the first fact, and is still known. */
  public void past(PastReservation known) {
    books.reservable().past(known);
  }

  /** Has every class that waits considered again, and every promise searched again. */
  public void retryAll() {
    books.rearrangement().retryAll();
  }
}
