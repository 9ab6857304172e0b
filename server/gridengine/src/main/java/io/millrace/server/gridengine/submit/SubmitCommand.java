package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.request.JobLimits;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.AwaitedJob;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellAdmission;
import io.millrace.server.gridengine.cell.CellJobs;
import io.millrace.server.gridengine.cell.CellReservations;
import io.millrace.server.gridengine.cell.UsageTexts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** sge/qsub: a script, standard input, or with -b y a command; with -t an array of tasks. */
public final class SubmitCommand implements Command {

  /** Tasks of an array, whatever the cell allows: each of them is a job of the shard. */
  private static final int TASKS_MAX = 10_000;

  private static final int NO_SCRIPT = 14;

  @Override
  public String undone() {
    return "not submitted";
  }

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    if (call.args().contains("-help")) {
      call.out(UsageTexts.QSUB);
      return 0;
    }
    try {
      return submit(call);
    } catch (RequestRefused e) {
      throw new Failure(e.printed() + "\n", e.exitCode());
    }
  }

  private static int submit(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    Submission typed = Submission.of(OptionFiles.ofSubmission(call));
    Cell cell = Cell.of(call);
    Script script = typed.binary() ? null : script(call, typed);
    Submission asked = withDirectives(typed, script);
    if (asked.start().isPresent()) {
      asked = asked.startingAt(StartTime.seconds("qsub", asked.start().get(), call.clock()));
    }
    if (asked.unsupported().isPresent()) {
      throw new RequestRefused("option " + asked.unsupported().get() + " is not supported");
    }
    if (typed.binary() && typed.command().isEmpty()) {
      throw new RequestRefused("qsub: command required for a binary job", 1);
    }
    CellAdmission admission = new CellAdmission(cell, call.site().cluster());
    Needs needs = admission.needs(asked, call.role());
    checkLimits(call, cell, asked);
    Optional<Reservation> reservation = reservation(call, cell, asked, needs);
    if (verified(call, asked, needs, admission)) {
      return 0;
    }
    if (cell.queue().isEmpty()) {
      throw new RequestRefused("cell " + cell.name() + " has no enabled queue");
    }
    if (!Roles.maySubmit(call)) {
      throw new RequestRefused("job rejected: root may not submit jobs here (acl_roots)");
    }
    if (asked.has("-m") || asked.has("-M")) {
      call.invocation().err("warning: this cell sends no mail, -m and -M have no effect\n");
    }
    StayingSubmission.begin(call.invocation(), asked);
    CellJobBuilder builder = new CellJobBuilder(call, cell);
    JobSpec job = builder.spec(asked, needs, script, name(asked, script));
    reservation.ifPresent(it -> job.setQueue(it.getQueue()));
    List<Long> numbers = send(call, asked, script, builder, job, shard(call, cell, reservation));
    tell(call, asked, numbers.get(0), name(asked, script));
    return waiting(call, asked, numbers).follow(asked);
  }

  /** The script of the first operand, or what comes on standard input. */
  private static Script script(Call call, Submission typed) throws Failure, IOException {
    if (typed.command().isEmpty()) {
      byte[] text = call.invocation().stdin().readNBytes(Topics.SCRIPT_BYTES_MAX + 1);
      if (text.length > Topics.SCRIPT_BYTES_MAX) {
        throw new RequestRefused("the script has more than " + Topics.SCRIPT_BYTES_MAX + " bytes");
      }
      return ScriptTexts.script(text);
    }
    String file = typed.command().get(0);
    try {
      return ScriptTexts.script(call.invocation().readFile(file, Topics.SCRIPT_BYTES_MAX));
    } catch (IOException e) {
      if (call.invocation().clientGone()) {
        throw e;
      }
      throw new Failure(
          "Unable to read script file because of error: error opening "
              + file
              + ": "
              + e.getMessage()
              + "\n",
          NO_SCRIPT);
    }
  }

  /** The command line goes before the lines of the script that begin with {@code #$}. */
  private static Submission withDirectives(Submission typed, Script script) {
    if (script == null) {
      return typed;
    }
    List<String> words = OptionLineWords.directives(ScriptTexts.of(script));
    return words.isEmpty() ? typed : Submission.of(words).under(typed);
  }

  /** Jobs that come at the same moment may both be the last one that is allowed. */
  private static void checkLimits(Call call, Cell cell, Submission asked)
      throws Failure, QueryException, InterruptedException {
    JobLimits limits = cell.configuration().limits().within(TASKS_MAX);
    long tasks = asked.array() ? asked.tasks().count() : 1;
    if (limits.perUser() == 0 && limits.all() == 0) {
      limits.admit(tasks, 0, 0);
      return;
    }
    List<Job> all = CellJobs.ofEverybody(call);
    List<Job> mine =
        all.stream()
            .filter(job -> job.getSpec().getOwner().equals(call.invocation().user()))
            .toList();
    limits.admit(tasks, CellJobs.byNumber(mine).size(), CellJobs.byNumber(all).size());
  }

  private static String name(Submission asked, Script script) {
    return script != null && asked.command().isEmpty() && !asked.has("-N") ? "STDIN" : asked.name();
  }

  /** True when -w v asked for nothing more than a look. */
  private static boolean verified(
      Call call, Submission asked, Needs needs, CellAdmission admission) {
    String level = asked.verify();
    if (level.equals("n")) {
      return false;
    }
    if (!List.of("e", "w", "v").contains(level)) {
      throw new RequestRefused("-w " + level + " is not supported; there are e, w, v and n");
    }
    Optional<String> never =
        admission.neverFits(asked, needs, call.invocation().user(), call.site().clock().instant());
    if (level.equals("v") && never.isPresent()) {
      throw new RequestRefused("Job " + never.get() + "\nverification: no suitable queues");
    }
    if (level.equals("e") && never.isPresent()) {
      throw new RequestRefused("error: no suitable queues");
    }
    if (level.equals("w") && never.isPresent()) {
      call.out("warning: no suitable queues\n");
    }
    if (level.equals("v")) {
      call.out("verification: found suitable queue(s)\n");
    }
    return level.equals("v");
  }

  /**
   * The reservation of -ar.
   *
   * @throws RequestRefused when there is none, or when it is not for this user or too small
   */
  private static Optional<Reservation> reservation(
      Call call, Cell cell, Submission asked, Needs needs)
      throws QueryException, InterruptedException {
    if (asked.advance().isEmpty()) {
      return Optional.empty();
    }
    long number = asked.advance().getAsLong();
    Optional<Reservation> found = CellReservations.find(call, cell, number);
    if (found.isEmpty()) {
      throw new RequestRefused("the advance reservation id " + number + " is invalid");
    }
    int least = asked.environment().map(it -> it.slots().least()).orElse(1);
    if (!CellReservations.admits(found.get(), call.invocation().user())
        || least > CellReservations.slots(cell, found.get())
        || !ReservedConsumables.suffice(cell, found.get(), needs)) {
      throw new RequestRefused("error: no suitable queues");
    }
    return found;
  }

  private static int shard(Call call, Cell cell, Optional<Reservation> reservation) {
    return reservation.isPresent()
        ? CellReservations.shardOf(call.site(), reservation.get().getSpec().getPartition())
        : call.site().shardOf(cell.queue().orElseThrow());
  }

  /** Sends the tasks; gives the numbers of their jobs. */
  private static List<Long> send(
      Call call, Submission asked, Script script, CellJobBuilder builder, JobSpec job, int shard)
      throws LinkException, InterruptedException {
    job.getGridEngine().setCategory(CellJobBuilder.category(asked, call.invocation().user()));
    List<Script> scripts = script == null ? List.of() : List.of(script);
    String holds = asked.held() ? "u" : "n";
    Queueing queueing =
        new Queueing(
            some -> call.send(shard, meta -> new SubmitJobs(meta, scripts, some)),
            (task, array) ->
                new NewJob(
                    builder.task(job, asked, task, array), holds, List.of(), List.of(), null, 0L),
            call.invocation()::err);
    return queueing.queue(asked.tasks().numbers(), asked.array());
  }

  private static StayingSubmission waiting(Call call, Submission asked, List<Long> numbers) {
    List<AwaitedJob> jobs =
        numbers.stream().map(number -> new AwaitedJob(call.site().queries(), number)).toList();
    String first = numbers.get(0).toString();
    List<String> names =
        asked.array()
            ? asked.tasks().numbers().stream().map(task -> first + "." + task).toList()
            : List.of(first);
    return new StayingSubmission(call.invocation(), new AwaitedTasks(jobs), names);
  }

  private static void tell(Call call, Submission asked, long number, String name) {
    String id = number + (asked.array() ? "." + asked.tasks() : "");
    if (asked.terse()) {
      call.out(id + "\n");
    } else {
      String what = asked.array() ? "job-array " : "job ";
      call.out("Your " + what + id + " (\"" + name + "\") has been submitted\n");
    }
  }
}
