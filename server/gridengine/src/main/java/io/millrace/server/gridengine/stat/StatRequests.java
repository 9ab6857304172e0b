package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** qstat -r: what a job asks for, below its line. */
final class StatRequests {

  /** Further requests stand below the first one. */
  private static final String BELOW = "\n" + " ".repeat(25);

  private final CellView view;
  private final boolean binding;

  /**
   * @param binding whether a line about bound processors is shown; none are bound here
   */
  StatRequests(CellView view, boolean binding) {
    this.view = view;
    this.binding = binding;
  }

  /** A request and the urgency that it adds. */
  record RequestWithUrgency(String name, String value, double urgency) {

    String request() {
      return name + "=" + value;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s (%.6f)", request(), urgency);
    }
  }

  void describe(StringBuilder out, StatRow row) {
    Submission asked = view.asked(row.number());
    line(out, "Full jobname:     ", row.job().getSpec().getName());
    if (row.running() && !row.master().isEmpty()) {
      line(out, "Master Queue:     ", row.master());
    }
    asked.environmentText().ifPresent(pe -> line(out, "Requested PE:     ", pe));
    if (!row.environment().isEmpty()) {
      line(out, "Granted PE:       ", row.environment() + " " + row.slots());
    }
    line(
        out,
        "Hard Resources:   ",
        hard(asked).stream().map(RequestWithUrgency::toString).collect(Collectors.joining(BELOW)));
    line(
        out,
        "Soft Resources:   ",
        soft(asked).stream().map(RequestWithUrgency::request).collect(Collectors.joining(BELOW)));
    if (!asked.queuesText().isEmpty()) {
      line(out, "Hard requested queues: ", asked.queuesText().replace(",", ", "));
    }
    if (!asked.softQueuesText().isEmpty()) {
      line(out, "Soft requested queues: ", asked.softQueuesText().replace(",", ", "));
    }
    if (!asked.after().isEmpty()) {
      line(out, "Predecessor Jobs (request): ", String.join(", ", asked.after()));
      List<String> numbers =
          view.dependencies().predecessors(row.number()).stream().map(String::valueOf).toList();
      if (!numbers.isEmpty()) {
        line(out, "Predecessor Jobs: ", String.join(", ", numbers));
      }
    }
    if (binding) {
      line(out, "Binding:          ", "NONE");
    }
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append("       ").append(name).append(value).append('\n');
  }

  List<RequestWithUrgency> hard(Submission asked) {
    return requests(asked, asked.hardText());
  }

  List<RequestWithUrgency> soft(Submission asked) {
    return requests(asked, asked.softText());
  }

  private List<RequestWithUrgency> requests(Submission asked, String list) {
    List<RequestWithUrgency> requests = new ArrayList<>();
    int slots = view.urgencySlots(asked);
    for (AttributeRequest request : view.requests(list)) {
      double urgency = request.complex().urgency(request.amount(), slots);
      requests.add(new RequestWithUrgency(request.complex().name(), request.shown(), urgency));
    }
    return requests;
  }
}
