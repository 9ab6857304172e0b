package io.millrace.server.gridengine.change;

import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gridengine.cell.BirthShards;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellAdmission;
import io.millrace.server.gridengine.cell.CellJobs;
import io.millrace.server.gridengine.cell.Refusals;
import io.millrace.server.gridengine.cell.Targets;
import io.millrace.server.gridengine.cell.Texts;
import io.millrace.server.gridengine.cell.UsageTexts;
import io.millrace.server.gridengine.submit.Alteration;
import io.millrace.server.gridengine.submit.CellJobBuilder;
import io.millrace.server.gridengine.submit.OptionFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** sge/qalter: changes what a job asks for. */
public final class AlterCommand implements Command {

  private static final String PREDECESSORS = "-hold_jid";
  private static final int NOT_FOR_TASKS = 4;

  /** What is said of each option, in the order in which Grid Engine says it. */
  private static final List<Map.Entry<String, String>> SAID =
      List.of(
          Map.entry("-a", "modified start time of "),
          Map.entry("-cwd", "modified working directory of "),
          Map.entry("-wd", "modified working directory of "),
          Map.entry("-e", "modified stderr path list of "),
          Map.entry("-R", "modified reservation behaviour of "),
          Map.entry("-j", "modified output merge behaviour of "),
          Map.entry("-l", "modified hard resource list of "),
          Map.entry("-soft -l", "modified soft resource list of "),
          Map.entry("-N", "modified job name of "),
          Map.entry("-o", "modified stdout path list of "),
          Map.entry("-S", "modified shell list of "),
          Map.entry("-pe", "modified parallel environment of "),
          Map.entry("-pe", "modified slot range of "),
          Map.entry(PREDECESSORS, "modified job id hold list of "),
          Map.entry("-q", "modified hard queue list of "),
          Map.entry("-soft -q", "modified soft queue list of "));

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    List<String> args = OptionFiles.ofAlteration(call);
    if (args.equals(List.of("-help"))) {
      call.out(UsageTexts.QALTER);
      return 0;
    }
    try {
      return alter(call, Alteration.of(args));
    } catch (RequestRefused e) {
      if (e.exitCode() != 1) {
        throw new Failure(e.getMessage() + "\n", e.exitCode());
      }
      call.out(e.getMessage() + "\n");
      return 1;
    }
  }

  /**
   * What comes of one word of the command line.
   *
   * @param said what is known before a shard is asked; it does not change anything then
   * @param commands for these tasks; none when nothing is to be changed
   */
  private record AlterOutcome(String said, int status, List<Job> tasks, List<AlterJob> commands) {

    static AlterOutcome said(String text, int status) {
      return new AlterOutcome(text, status, List.of(), List.of());
    }
  }

  private static int alter(Call call, Alteration typed)
      throws Failure, QueryException, LinkException, InterruptedException {
    if (typed.jobs().isEmpty()) {
      throw new Failure(UsageTexts.QALTER, 1);
    }
    Alteration alteration = typed.startingAt("qalter", call.clock());
    Cell cell = Cell.of(call);
    List<Job> all = CellJobs.all(call, "");
    List<Job> there = alteration.change().has(PREDECESSORS) ? CellJobs.ofEverybody(call) : all;
    // All jobs are looked at before the first one is changed.
    List<AlterOutcome> parts = new ArrayList<>();
    for (Targets.JobTarget target : Targets.of(alteration.jobs())) {
      if (target.tasks() != null && alteration.changesMoreThanHolds()) {
        call.out("denied: the selected option works only on jobs and not on tasks\n");
        return NOT_FOR_TASKS;
      }
      List<Job> meant = all.stream().filter(target::means).toList();
      if (meant.isEmpty()) {
        parts.add(AlterOutcome.said("denied: job \"" + target.name() + "\" does not exist\n", 1));
      }
      for (List<Job> tasks : CellJobs.byNumber(meant).values()) {
        parts.add(part(call, cell, alteration, tasks));
      }
    }
    return send(call, alteration, parts, there);
  }

  private static AlterOutcome part(Call call, Cell cell, Alteration alteration, List<Job> tasks)
      throws QueryException, InterruptedException {
    Submission change = alteration.change();
    Job first = tasks.get(0);
    for (long later : alteration.notBefore(Texts.number(first))) {
      Optional<Job> there = call.wholeSite().queries().job(later);
      if (there.isPresent() && there.get().getStatus() != JobStatus.FINISHED) {
        String number = Long.toString(Texts.number(first));
        return AlterOutcome.said("denied: job " + number + " can wait for earlier jobs only\n", 1);
      }
    }
    if (change.has("-p")
        && change.priority() > first.getSpec().getPriority()
        && call.role() == Role.USER) {
      String user = call.invocation().user();
      return AlterOutcome.said(
          "denied: \"" + user + "\" must be operator to increase job priority\n", 1);
    }
    String denied = HoldCommand.deniedAltering(call, alteration.holds(), anyHeld(tasks));
    if (!denied.isEmpty()) {
      return AlterOutcome.said(denied, 1);
    }
    if (change.has("-w") && List.of("v", "p").contains(change.verify())) {
      return verified(call, cell, change, first);
    }
    List<AlterJob> commands = new ArrayList<>();
    for (Job task : tasks) {
      String refused = ofRunning(cell, change, task);
      if (!refused.isEmpty()) {
        return AlterOutcome.said(refused, 1);
      }
      commands.add(command(call, cell, alteration, task));
    }
    boolean never = change.has("-w") && neverFits(call, cell, change, first).isPresent();
    if (never && change.verify().equals("e")) {
      return AlterOutcome.said("error: no suitable queues\n", 1);
    }
    return never && change.verify().equals("w")
        ? new AlterOutcome("warning: no suitable queues\n", 1, tasks, commands)
        : new AlterOutcome("", 0, tasks, commands);
  }

  private static boolean anyHeld(List<Job> tasks) {
    return tasks.stream().anyMatch(CellJobs::held);
  }

  /** Sends all commands together, and says of each part how it went. */
  private static int send(Call call, Alteration alteration, List<AlterOutcome> parts, List<Job> all)
      throws LinkException, InterruptedException {
    Map<String, AlterJob> commands = new LinkedHashMap<>();
    List<Job> tasks = new ArrayList<>();
    for (AlterOutcome part : parts) {
      tasks.addAll(part.tasks());
      part.commands().forEach(command -> commands.put(command.getJobId(), command));
    }
    BirthShards.BirthShardAnswers answers =
        BirthShards.send(
            call,
            tasks,
            (meta, job) -> {
              AlterJob command = commands.get(job.getId());
              command.setMeta(meta);
              return command;
            });
    int status = 0;
    for (AlterOutcome part : parts) {
      Optional<String> refused =
          part.tasks().isEmpty() ? Optional.empty() : refused(call, part.tasks(), answers);
      refused.ifPresent(call::out);
      if (refused.isEmpty() && !part.tasks().stream().allMatch(answers::has)) {
        continue; // why is said at the end
      }
      if (!part.tasks().isEmpty() && refused.isEmpty()) {
        tell(call, alteration, part.tasks(), all);
      }
      if (refused.isEmpty()) {
        call.out(part.said());
      }
      status = Math.max(status, refused.isPresent() ? 1 : part.status());
    }
    answers.complete();
    return status;
  }

  /** What is said of the first task that a shard would not change. */
  private static Optional<String> refused(
      Call call, List<Job> tasks, BirthShards.BirthShardAnswers answers) {
    return tasks.stream()
        .filter(answers::has)
        .filter(task -> answers.of(task).getCode() != 0)
        .filter(task -> tasks.size() == 1 || !Refusals.gone(answers.of(task)))
        .findFirst()
        .map(task -> Refusals.change(call.invocation().user(), task, answers.of(task)));
  }

  /** -w v: whether a job that waits could run, so changed, if nothing else did. */
  private static AlterOutcome verified(Call call, Cell cell, Submission change, Job job) {
    if (CellJobs.runs(job) || !job.getHolds().equals("n")) {
      return AlterOutcome.said("verification: job is already running or is held\n", 0);
    }
    if (change.verify().equals("p")) {
      throw new RequestRefused(
          "qalter: option -w p is not supported for jobs that wait; there are e, n, v and w");
    }
    Optional<String> never = neverFits(call, cell, change, job);
    return never.isEmpty()
        ? AlterOutcome.said("verification: found suitable queue(s)\n", 0)
        : AlterOutcome.said(
            "Job " + Texts.number(job) + " " + never.get() + "\nverification: no suitable queues\n",
            1);
  }

  private static Optional<String> neverFits(Call call, Cell cell, Submission change, Job job) {
    Submission asked = Submission.of(job.getSpec().getGridEngine().getOptions()).changedBy(change);
    CellAdmission admission = new CellAdmission(cell, call.site().cluster());
    Needs needs = admission.needs(asked.withoutPriority(), call.role());
    return admission.neverFits(
        asked, needs, job.getSpec().getOwner(), call.site().clock().instant());
  }

  /** Why a run may not be changed so: it holds what it was given until it ends. */
  private static String ofRunning(Cell cell, Submission change, Job job) {
    if (!CellJobs.runs(job) || !(change.has("-l") || change.has("-pe"))) {
      return "";
    }
    Complexes complexes = cell.configuration().cluster().complexes();
    Submission asked = Submission.of(job.getSpec().getGridEngine().getOptions());
    Needs held = asked.needs(complexes);
    Needs wanted = asked.changedBy(change).needs(complexes);
    if (CellJobBuilder.least(wanted) < job.getSpec().getRequest().getChunks().get(0).getCount()) {
      // The run's request says them, and its next run could not start with fewer.
      return "denied: can't lower the least number of slots of running job\n";
    }
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
    Needs needs =
        new CellAdmission(cell, call.site().cluster()).needs(after.withoutPriority(), call.role());
    GridEngineRequest request = CellJobBuilder.changed(spec.getGridEngine(), after, needs);
    request.setCategory(CellJobBuilder.category(after, spec.getOwner()));
    AlterJob command = new AlterJob();
    command.setBefore(List.of());
    command.setJobId(job.getId());
    command.setGridEngine(request);
    // A run keeps the processors and the time limit that it was started with.
    if ((change.has("-l") || change.has("-pe")) && !CellJobs.runs(job)) {
      command.setRequest(CellJobBuilder.request(needs));
      command.setResourceList(CellJobBuilder.shown(command.getRequest()));
    }
    boolean moved = change.has("-wd") || change.has("-cwd");
    if (moved) {
      request.setDirectory(change.directory(call.invocation().directory()).orElse(""));
    }
    command.setShell(change.shell().map(CellJobBuilder::firstShell).orElse(null));
    command.setName(change.has("-N") ? change.name() : null);
    command.setPriority(change.has("-p") ? Integer.valueOf(change.priority()) : null);
    CellJobBuilder builder = new CellJobBuilder(call, cell);
    String name = change.has("-N") ? change.name() : spec.getName();
    String number = Long.toString(Texts.number(job));
    String task = Integer.toString(spec.getGridEngine().getTask());
    if (change.has("-o") || moved && relative(after.output())) {
      command.setOutputPath(
          builder
              .output(after, after.output(), name, 'o')
              .replace("$JOB_ID", number)
              .replace("$TASK_ID", task));
    }
    if (change.has("-e") || moved && relative(after.errors())) {
      command.setErrorPath(
          builder
              .output(after, after.errors(), name, 'e')
              .replace("$JOB_ID", number)
              .replace("$TASK_ID", task));
    }
    command.setJoinPath(change.has("-j") ? (change.joined() ? "oe" : "n") : null);
    command.setHolds(holds.isEmpty() ? null : holds);
    return command;
  }

  /** Whether a file goes with the working directory: one without a path, or with such a path. */
  private static boolean relative(Optional<String> path) {
    return path.isEmpty() || !path.get().substring(path.get().indexOf(':') + 1).startsWith("/");
  }

  private static void tell(Call call, Alteration alteration, List<Job> tasks, List<Job> all) {
    Submission change = alteration.change();
    Job job = tasks.get(0);
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
        .forEach(
            said ->
                call.out(
                    said.getValue()
                        + which
                        + (said.getKey().equals(PREDECESSORS)
                            ? predecessors(call, change.after(), Texts.number(job), all)
                            : "")));
    String holds = alteration.holds();
    if (!holds.isEmpty() && (!holds.equals("n") || anyHeld(tasks))) {
      call.out("modified hold of " + which);
    }
  }

  /** Which of the earlier jobs that a job is to wait for are there, and which are not any more. */
  private static String predecessors(Call call, List<String> names, long number, List<Job> all) {
    List<String> blocking = new ArrayList<>();
    List<String> exited = new ArrayList<>();
    for (String name : names) {
      Set<String> there = new LinkedHashSet<>();
      all.stream()
          .filter(job -> Texts.number(job) < number && CellJobs.meant(name, job))
          .filter(job -> call.sees(job) || name.matches("\\d+"))
          .forEach(job -> there.add(Long.toString(Texts.number(job))));
      blocking.addAll(there);
      if (there.isEmpty() && name.matches("\\d+")) {
        exited.add(name);
      }
    }
    return "   blocking jobs: " + list(blocking) + "\n   exited jobs:   " + list(exited) + "\n";
  }

  private static String list(List<String> numbers) {
    return numbers.isEmpty() ? "NONE" : String.join(",", numbers);
  }
}
