package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import io.millrace.schedulers.dialects.gridengine.request.RequestRefused;
import io.millrace.schedulers.dialects.gridengine.request.Submission;
import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** sge/qalter: changes what a job asks for. */
final class AlterCommand implements Command {

  /** What is said of each option, in the order in which Grid Engine says it. */
  private static final List<Map.Entry<String, String>> SAID =
      List.of(
          Map.entry("-l", "modified hard resource list of "),
          Map.entry("-soft -l", "modified soft resource list of "),
          Map.entry("-q", "modified hard queue list of "),
          Map.entry("-soft -q", "modified soft queue list of "),
          Map.entry("-o", "modified stdout path list of "),
          Map.entry("-e", "modified stderr path list of "),
          Map.entry("-j", "modified merge stdout/stderr option of "),
          Map.entry("-R", "modified reservation behaviour of "),
          Map.entry("-pe", "modified parallel environment of "),
          Map.entry("-pe", "modified slot range of "),
          Map.entry("-hold_jid", "modified job id hold list of "),
          Map.entry("-N", "modified job name of "));

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    List<String> args = OptionFiles.ofAlteration(call);
    if (args.equals(List.of("-help"))) {
      call.out(Usage.QALTER);
      return 0;
    }
    try {
      return alter(call, Alteration.of(args));
    } catch (RequestRefused e) {
      call.out(e.getMessage() + "\n");
      return 1;
    }
  }

  private static int alter(Call call, Alteration alteration)
      throws Failure, QueryException, LinkException, InterruptedException {
    if (alteration.jobs().isEmpty()) {
      throw new Failure(Usage.QALTER, 1);
    }
    Cell cell = Cell.of(call);
    List<Job> all = CellJobs.all(call, "");
    int status = 0;
    for (Targets.Target target : Targets.of(alteration.jobs())) {
      List<Job> meant = all.stream().filter(target::means).toList();
      if (meant.isEmpty()) {
        call.out("denied: job \"" + target.name() + "\" does not exist\n");
        status = 1;
      }
      for (List<Job> tasks : CellJobs.byNumber(meant).values()) {
        status = Math.max(status, alter(call, cell, alteration, tasks));
      }
    }
    return status;
  }

  private static int alter(Call call, Cell cell, Alteration alteration, List<Job> tasks)
      throws Failure, QueryException, LinkException, InterruptedException {
    Submission change = alteration.change();
    String holds = alteration.holds();
    Job first = tasks.get(0);
    String user = call.invocation().user();
    if (change.has("-p")
        && change.priority() > first.getSpec().getPriority()
        && call.role() == Role.USER) {
      call.out("denied: \"" + user + "\" must be operator to increase job priority\n");
      return 1;
    }
    boolean anyHeld = tasks.stream().anyMatch(task -> !task.getHolds().equals("n"));
    String denied = HoldCommand.deniedAltering(call, holds, anyHeld);
    if (!denied.isEmpty()) {
      call.out(denied);
      return 1;
    }
    if (change.has("-w")) {
      return verify(call, cell, change, first);
    }
    // All tasks are looked at before the first one is changed.
    List<AlterJob> commands = new ArrayList<>();
    for (Job task : tasks) {
      String refused = ofRunning(cell, change, task);
      if (!refused.isEmpty()) {
        call.out(refused);
        return 1;
      }
      commands.add(command(call, cell, alteration, task));
    }
    if (!sent(call, tasks, commands)) {
      return 1;
    }
    tell(call, change, holds.equals("n") && !anyHeld ? "" : holds, first);
    return 0;
  }

  /** Sends each task its command; false when one was refused. */
  private static boolean sent(Call call, List<Job> tasks, List<AlterJob> commands)
      throws QueryException, LinkException, InterruptedException {
    for (int i = 0; i < tasks.size(); i++) {
      AlterJob command = commands.get(i);
      Reply reply =
          Shards.send(
              call,
              tasks.get(i),
              (meta, id) -> {
                command.setMeta(meta);
                return command;
              });
      boolean ended = tasks.size() > 1 && Refusals.gone(reply);
      if (reply.getCode() != 0 && !ended) {
        call.out(Refusals.change(call.invocation().user(), tasks.get(i), reply));
        return false;
      }
    }
    return true;
  }

  /** -w v: whether a job that waits could run, so changed, if nothing else did. */
  private static int verify(Call call, Cell cell, Submission change, Job job) {
    if (CellView.runs(job) || !job.getHolds().equals("n")) {
      call.out("verification: job is already running or is held\n");
      return 0;
    }
    Submission asked = Submission.of(job.getSpec().getGridEngine().getOptions()).changedBy(change);
    Admission admission = new Admission(cell);
    Needs needs = admission.needs(asked.withoutPriority(), call.role());
    Optional<String> never =
        admission.neverFits(asked, needs, job.getSpec().getOwner(), call.site().clock().instant());
    never.ifPresent(why -> call.out("Job " + Texts.number(job) + " " + why + "\n"));
    call.out("verification: " + (never.isEmpty() ? "found suitable" : "no suitable"));
    call.out(never.isEmpty() ? " queue(s)\n" : " queues\n");
    return 0;
  }

  /** Why a run may not be changed so: it holds what it was given until it ends. */
  private static String ofRunning(Cell cell, Submission change, Job job) {
    if (!CellView.runs(job) || !change.has("-l")) {
      return "";
    }
    Complexes complexes = cell.configuration().cluster().complexes();
    Submission asked = Submission.of(job.getSpec().getGridEngine().getOptions());
    Needs held = asked.needs(complexes);
    Needs wanted = asked.changedBy(change).needs(complexes);
    for (Complex complex : complexes.all()) {
      String name = " consumable \"" + complex.name() + "\" of running job ";
      boolean before = held.requests(complex);
      boolean after = wanted.requests(complex);
      if (!complex.consumable() || (!before && !after)) {
        continue;
      }
      if (!after) {
        return "denied: former resource request on" + name + "missing in new resource request\n";
      }
      if (!before) {
        return "denied: resource request on"
            + name
            + "was not contained in former resource request\n";
      }
      if (held.amount(complex) != wanted.amount(complex)) {
        return "denied: can't change consumable resource request \""
            + complex.name()
            + "\" of running job\n";
      }
    }
    return "";
  }

  /** The command for one job, without its envelope. */
  private static AlterJob command(Call call, Cell cell, Alteration alteration, Job job) {
    Submission change = alteration.change();
    String holds = alteration.holds();
    JobSpec spec = job.getSpec();
    Submission before = Submission.of(spec.getGridEngine().getOptions());
    Submission after = before.changedBy(change);
    Needs needs = new Admission(cell).needs(after.withoutPriority(), call.role());
    GridEngineRequest request = JobBuilder.changed(spec.getGridEngine(), after, needs);
    request.setCategory(JobBuilder.category(after, spec.getOwner()));
    AlterJob command = new AlterJob();
    command.setJobId(job.getId());
    command.setGridEngine(request);
    // A run keeps the processors and the time limit that it was started with.
    if ((change.has("-l") || change.has("-pe")) && !CellView.runs(job)) {
      command.setRequest(JobBuilder.request(needs));
      command.setResourceList(JobBuilder.shown(command.getRequest()));
    }
    command.setName(change.has("-N") ? change.name() : null);
    command.setPriority(change.has("-p") ? Integer.valueOf(change.priority()) : null);
    JobBuilder builder = new JobBuilder(call, cell);
    String name = change.has("-N") ? change.name() : spec.getName();
    String number = Long.toString(Texts.number(job));
    String task = Integer.toString(spec.getGridEngine().getTask());
    if (change.has("-o")) {
      command.setOutputPath(
          builder
              .output(after, change.output(), name, 'o')
              .replace("$JOB_ID", number)
              .replace("$TASK_ID", task));
    }
    if (change.has("-e")) {
      command.setErrorPath(
          builder
              .output(after, change.errors(), name, 'e')
              .replace("$JOB_ID", number)
              .replace("$TASK_ID", task));
    }
    command.setJoinPath(change.has("-j") ? (change.joined() ? "oe" : "n") : null);
    command.setHolds(holds.isEmpty() ? null : holds);
    return command;
  }

  private static void tell(Call call, Submission change, String holds, Job job) {
    String which = "job " + Texts.number(job) + "\n";
    if (change.has("-p")) {
      call.out(
          call.invocation().user()
              + "@"
              + call.site().host()
              + " sets scheduling priority of job "
              + Texts.number(job)
              + " to "
              + change.priority()
              + "\n");
    }
    SAID.stream()
        .filter(said -> change.has(said.getKey()))
        .forEach(said -> call.out(said.getValue() + which));
    if (!holds.isEmpty()) {
      call.out("modified hold of " + which);
    }
  }
}
