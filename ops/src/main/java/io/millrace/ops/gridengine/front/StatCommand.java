package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.request.QueueRequest;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** sge/qstat. */
final class StatCommand implements Command {

  /** What is said of all jobs that wait for the same kind of reason. */
  private static final Map<String, String> TITLES =
      Map.of(
          "SGE_CANNOT_RUN_GLOBALLY",
          "Jobs can not run globally because the resource requirements can not be satisfied",
          "SGE_PE_SLOTS",
          "Jobs can not run because available slots combined under PE are not in range of job",
          "SGE_TOO_EARLY",
          "Jobs can not run because execution time not reached",
          "SGE_DEPENDS",
          "Job dropped because of job dependencies",
          "SGE_TASK_LIMIT",
          "Not all array tasks may be started due to 'max_aj_instances'");

  private static final String HELD = "Jobs dropped because of hold state";

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    if (call.args().equals(List.of("-help"))) {
      call.out(Usage.QSTAT);
      return 0;
    }
    StatOptions options = StatOptions.of(call.args(), call.invocation().user());
    Cell cell = Cell.of(call);
    long nowS = call.site().clock().instant().getEpochSecond();
    CellView view = new CellView(cell, CellJobs.all(call, ""), nowS);
    if (options.detail()) {
      return detail(call, cell, view, options);
    }
    if (!options.selection().queues().isEmpty() && !anyQueue(cell, options)) {
      return 1;
    }
    List<StatRow> rows = new ArrayList<>(view.rows(options));
    if (!options.selection().queues().isEmpty()) {
      rows.removeIf(
          row ->
              row.running()
                  && row.queues().stream().noneMatch(queue -> fits(cell, options, queue)));
    }
    call.out(
        options.full() ? full(call, cell, view, options, rows) : plain(call, view, options, rows));
    return 0;
  }

  private static String plain(Call call, CellView view, StatOptions options, List<StatRow> rows) {
    ZoneId zone = call.site().clock().getZone();
    return options.xml()
        ? new StatXml(zone).plain(rows)
        : new StatTable(zone).plain(rows, view, options.requests());
  }

  private static String full(
      Call call, Cell cell, CellView view, StatOptions options, List<StatRow> rows)
      throws Failure, QueryException, InterruptedException {
    ZoneId zone = call.site().clock().getZone();
    List<String> up =
        call.site().queries().nodes().stream().filter(Node::getUp).map(Node::getName).toList();
    List<StatTable.QueueLine> queues = new ArrayList<>(StatTable.queues(cell, up));
    List<StatRow> all = view.rows(StatOptions.of(List.of("-u", "*"), ""));
    queues.removeIf(line -> !fits(cell, options, line.queue().name()));
    if (options.selection().busyOnly()) {
      queues.removeIf(line -> all.stream().noneMatch(row -> row.slots(line.queue().name()) > 0));
    }
    return options.xml()
        ? new StatXml(zone).full(all, rows, queues)
        : new StatTable(zone).full(all, rows, queues);
  }

  private static boolean anyQueue(Cell cell, StatOptions options) {
    return cell.configuration().cluster().queues().stream()
        .anyMatch(queue -> fits(cell, options, queue.name()));
  }

  private static boolean fits(Cell cell, StatOptions options, String instance) {
    String wanted = options.selection().queues();
    return wanted.isEmpty()
        || QueueRequest.list(wanted).stream()
            .anyMatch(
                request ->
                    cell.configuration()
                        .cluster()
                        .queue(instance)
                        .filter(q -> request.fits(q, cell.configuration().cluster().groups()))
                        .isPresent());
  }

  private static int detail(Call call, Cell cell, CellView view, StatOptions options)
      throws QueryException, InterruptedException {
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
        if (CellJobs.meant(name, job.getValue().get(0))) {
          found = true;
          details.add(
              new StatDetail(
                  view,
                  job.getKey(),
                  messages(reasons, job.getValue()),
                  call.site().clock().getZone()));
        }
      }
      if (!found) {
        unknown.add(name);
      }
    }
    if (options.xml()) {
      call.out(
          details.isEmpty()
              ? StatXml.unknown(unknown)
              : new StatXml(call.site().clock().getZone()).details(details, queues));
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

  /** The jobs that wait, by the kind of their reason. */
  private static String summary(CellView view, Explanations reasons, List<String> queues)
      throws QueryException, InterruptedException {
    TreeMap<String, List<String>> kinds = new TreeMap<>();
    for (Map.Entry<Long, List<Job>> job : view.jobs().entrySet()) {
      Job first = job.getValue().get(0);
      Optional<ClassReason> reason = reasons.reason(first);
      String title =
          !first.getHolds().equals("n") && !CellView.runs(first)
              ? HELD
              : reason.map(StatCommand::title).orElse("");
      if (!title.isEmpty()) {
        kinds.computeIfAbsent(title, t -> new ArrayList<>()).add(job.getKey().toString());
      }
    }
    StringBuilder text = new StringBuilder(StatDetail.information(queues));
    kinds.forEach(
        (title, numbers) ->
            text.append(text.length() == 0 ? "" : "\n")
                .append(title)
                .append("\n\t")
                .append(String.join(",\t", numbers))
                .append('\n'));
    return text.toString();
  }

  private static String title(ClassReason reason) {
    String first = reason.getSubject().lines().findFirst().orElse(reason.getCode());
    return TITLES.getOrDefault(reason.getCode(), "Jobs can not run: " + first);
  }
}
