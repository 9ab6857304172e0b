package io.millrace.server.core.run.outside;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.server.core.state.Copies;
import java.util.List;

/** Answers of outside systems in the history of a job. */
final class OutsideAnswers {
  /** No order has a longer name. */
  static final int ORDER_LONGEST = 20;

  private OutsideAnswers() {}

  /** What the event of an answer says. */
  static String detail(String order, boolean refused, String text) {
    return order + (refused ? ", refused: " : ": ") + text;
  }

  /** Whether the last answer to such an order was this one, and nothing else has happened since. */
  static boolean isKnown(Job job, String order, boolean refused, String text) {
    List<JobEvent> events = job.getEvents();
    for (int i = events.size() - 1; i >= 0; i--) {
      JobEvent event = events.get(i);
      if (!event.getWhat().equals(Copies.ANSWERED)) {
        return false;
      }
      String said = event.getDetail();
      if (said.startsWith(order + ":") || said.startsWith(order + ",")) {
        return said.equals(detail(order, refused, text));
      }
    }
    return false;
  }
}
