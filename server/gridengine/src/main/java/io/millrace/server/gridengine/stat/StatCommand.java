package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellHosts;
import io.millrace.server.gridengine.cell.CellJobs;
import io.millrace.server.gridengine.cell.CellReservations;
import io.millrace.server.gridengine.cell.UsageTexts;
import io.millrace.server.gridengine.stat.StatOptions.Show;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** sge/qstat. */
public final class StatCommand implements Command {

  private static final String HELD = "Jobs dropped because of hold state";
  private static final String IN_ERROR = "Jobs dropped because of error state";

  /** What is said of all jobs that wait for the same kind of reason, in the order of the answer. */
  private static final Map<String, String> TITLES = new LinkedHashMap<>();

  static {
    TITLES.put(
        "SGE_PE_SLOTS",
        "Jobs can not run because available slots combined under PE are not in range of job");
    TITLES.put(
        "SGE_CANNOT_RUN_GLOBALLY",
        "Jobs can not run globally because the resource requirements can not be satisfied");
    TITLES.put("", HELD);
    TITLES.put("SGE_TOO_EARLY", "Jobs can not run because execution time not reached");
    TITLES.put("SGE_DEPENDS", "Job dropped because of job dependencies");
    TITLES.put("SGE_TASK_LIMIT", "Not all array tasks may be started due to 'max_aj_instances'");
  }

  /** Finished jobs that -s z shows, as a Grid Engine remembers them. */
  private static final int FINISHED_MAX = 100;

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    if (call.args().equals(List.of("-help"))) {
      call.out(UsageTexts.QSTAT);
      return 0;
    }
    StatOptions options = StatOptions.of(call.args(), call.invocation().user());
    Cell cell = Cell.of(call);
    Instant now = call.site().clock().instant();
    CellView view =
        new CellView(cell, CellJobs.ofEverybody(call), call::sees, now.getEpochSecond());
    if (options.shows(Show.DETAIL)) {
      return detail(call, cell, view, options);
    }
    CellHosts hosts = CellHosts.of(call, cell);
    SelectedQueues queues;
    try {
      queues = new SelectedQueues(cell, options.queues(), hosts, now);
    } catch (RequestRefused e) {
      throw new Failure("error: " + e.getMessage() + "\n", 1);
    }
    if (options.queues().narrows() && queues.isEmpty()) {
      return 1;
    }
    List<StatRow> rows = new ArrayList<>(view.rows(options));
    rows.removeIf(
        row ->
            row.running() ? !queues.hold(row) : !queues.take(row.job(), view.asked(row.number())));
    if (options.wantsFinished()) {
      rows.addAll(view.finished(options, CellJobs.finished(call, FINISHED_MAX)));
    }
    boolean wholeQueues = options.shows(Show.FULL) || options.shows(Show.SUMMARY);
    call.out(
        new StatAnswer(cell, view, options, call.zone())
            .text(rows, queues, hosts, wholeQueues ? CellReservations.now(call, cell) : Map.of()));
    return 0;
  }

  private static int detail(Call call, Cell cell, CellView view, StatOptions options)
      throws Failure, QueryException, InterruptedException {
    Explanations reasons = new Explanations(call.site());
    List<String> names = options.selection().names();
    List<String> queues = reasons.queues(cell);
    if (names.isEmpty()) {
      call.out(summary(view, reasons, queues));
      return 0;
    }
    List<String> unknown = new ArrayList<>();
    List<StatDetail> details = new ArrayList<>();
    for (String name : names) {
      boolean found = false;
      for (Map.Entry<Long, List<Job>> job : view.jobs().entrySet()) {
        if (view.sees(job.getKey()) && CellJobs.meant(name, job.getValue().get(0))) {
          found = true;
          details.add(
              new StatDetail(
                  new CellJobFacts(view, job.getKey()),
                  messages(reasons, job.getValue()),
                  call.zone()));
        }
      }
      if (!found) {
        unknown.add(name);
      }
    }
    if (options.shows(Show.XML)) {
      call.out(
          details.isEmpty() ? StatDetailXml.unknown(unknown) : StatDetailXml.of(details, queues));
      return 0;
    }
    details.forEach(detail -> call.out(detail.text(queues)));
    if (!unknown.isEmpty()) {
      call.invocation().err("Following jobs do not exist: \n" + String.join("\n", unknown) + "\n");
    }
    return unknown.isEmpty() ? 0 : 1;
  }

  private static List<String> messages(Explanations reasons, List<Job> tasks)
      throws QueryException, InterruptedException {
    for (Job task : tasks) {
      List<String> messages = reasons.of(task);
      if (!messages.isEmpty()) {
        return messages;
      }
    }
    return List.of();
  }

  /** The jobs that wait, by the kind of their reason; of each kind the most important first. */
  private static String summary(CellView view, Explanations reasons, List<String> queues)
      throws Failure, QueryException, InterruptedException {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    TITLES.values().forEach(title -> kinds.put(title, new ArrayList<>()));
    for (StatRow row : view.rows(StatOptions.of(List.of("-u", "*"), ""))) {
      String title = row.running() ? "" : title(row.job(), reasons);
      String number = Long.toString(row.number());
      List<String> numbers = kinds.computeIfAbsent(title, t -> new ArrayList<>());
      if (!numbers.contains(number)) {
        numbers.add(number);
      }
    }
    kinds.remove("");
    StringBuilder text = new StringBuilder(StatDetail.information(queues));
    kinds.forEach(
        (title, numbers) -> {
          if (!numbers.isEmpty()) {
            text.append(text.length() == 0 ? "" : "\n").append(title);
            text.append("\n\t").append(String.join(",\t", numbers)).append('\n');
          }
        });
    return text.toString();
  }

  /** What is said of a job that waits; empty when nothing was said yet. */
  private static String title(Job job, Explanations reasons)
      throws QueryException, InterruptedException {
    if (job.getError() != null) {
      return IN_ERROR;
    }
    return job.getHolds().equals("n")
        ? reasons.reason(job).map(StatCommand::title).orElse("")
        : HELD;
  }

  private static String title(ClassReason reason) {
    String first = reason.getSubject().lines().findFirst().orElse(reason.getCode());
    return TITLES.getOrDefault(reason.getCode(), "Jobs can not run: " + first);
  }
}
