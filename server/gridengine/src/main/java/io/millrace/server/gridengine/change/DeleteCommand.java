package io.millrace.server.gridengine.change;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gridengine.cell.BirthShards;
import io.millrace.server.gridengine.cell.CellJobs;
import io.millrace.server.gridengine.cell.Refusals;
import io.millrace.server.gridengine.cell.Targets;
import io.millrace.server.gridengine.cell.Texts;
import io.millrace.server.gridengine.cell.UsageTexts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** sge/qdel: jobs and tasks by number, name, pattern or owner. */
public final class DeleteCommand implements Command {

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    List<String> args = new ArrayList<>(call.args());
    if (args.equals(List.of("-help"))) {
      call.out(UsageTexts.QDEL);
      return 0;
    }
    // A run is given up by its host here, forced or not.
    args.remove("-f");
    String user = "";
    int option = args.indexOf("-u");
    if (option >= 0 && option + 1 < args.size()) {
      user = args.remove(option + 1);
      args.remove(option);
    }
    for (String arg : args) {
      if (arg.startsWith("-") && !arg.equals("-t")) {
        throw new Failure("error: unknown option \"" + arg + "\"\n" + UsageTexts.QDEL, 1);
      }
    }
    if (args.isEmpty() && user.isEmpty()) {
      call.out("ERROR! no option argument\n");
      throw new Failure(UsageTexts.QDEL, 1);
    }
    try {
      return user.isEmpty() ? named(call, Targets.of(args)) : owned(call, user);
    } catch (RequestRefused e) {
      throw new Failure(e.getMessage() + "\n", 1);
    }
  }

  /** What a word of the command line means. */
  private record Meant(String nobody, List<Job> jobs, boolean someTasks) {}

  private static int named(Call call, List<Targets.JobTarget> targets)
      throws Failure, QueryException, LinkException, InterruptedException {
    String me = call.invocation().user();
    List<Job> there = CellJobs.all(call, "");
    List<Job> left = new ArrayList<>(there);
    List<Meant> all = new ArrayList<>();
    for (Targets.JobTarget target : targets) {
      List<Job> jobs =
          left.stream()
              .filter(target::means)
              .filter(job -> target.isNumber() || job.getSpec().getOwner().equals(me))
              .toList();
      // Named a second time, a job that waited is no longer there.
      Set<String> gone = new HashSet<>();
      jobs.stream().filter(job -> !CellJobs.runs(job)).forEach(job -> gone.add(job.getId()));
      left.removeIf(job -> gone.contains(job.getId()));
      all.add(new Meant(nobody(target, me, there), jobs, target.tasks() != null));
    }
    return delete(call, all);
  }

  /** What is said when a word means nothing that is still there. */
  private static String nobody(Targets.JobTarget target, String user, List<Job> there) {
    if (!target.isNumber()) {
      return "The job " + target.name() + " of user(s) " + user + " does not exist\n";
    }
    boolean known =
        target.tasks() != null
            && there.stream().anyMatch(job -> CellJobs.meant(target.name(), job));
    if (!known) {
      return "denied: job \"" + target.name() + "\" does not exist\n";
    }
    return "job \""
        + target.name()
        + (target.tasks().count() == 1
            ? "\" task \"" + target.tasks().from() + "\" does not exist\n"
            : "\" task id range \"" + target.tasks() + "\" comprises no tasks\n");
  }

  private static int owned(Call call, String users)
      throws Failure, QueryException, LinkException, InterruptedException {
    List<Meant> all = new ArrayList<>();
    for (String user : users.split(",")) {
      boolean everybody = user.equals("*");
      List<Job> jobs = CellJobs.all(call, everybody ? "" : user);
      String nobody =
          everybody
              ? "There are no jobs registered\n"
              : "There is no job registered for the following users: " + user + "\n";
      all.add(new Meant(nobody, jobs, false));
    }
    return delete(call, all);
  }

  private static int delete(Call call, List<Meant> all) throws LinkException, InterruptedException {
    List<Job> jobs = all.stream().flatMap(meant -> meant.jobs().stream()).toList();
    BirthShards.BirthShardAnswers answers =
        BirthShards.send(
            call,
            jobs.stream().filter(job -> !isLeaving(job)).toList(),
            (meta, job) -> new DeleteJob(meta, job.getId(), false, List.of(), false, false, false));
    Set<String> told = new HashSet<>();
    int status = 0;
    for (Meant meant : all) {
      if (meant.jobs().isEmpty()) {
        call.out(meant.nobody());
        status = 1;
      }
      for (List<Job> tasks : CellJobs.byNumber(meant.jobs()).values()) {
        List<Job> known = tasks.stream().filter(job -> isLeaving(job) || answers.has(job)).toList();
        boolean some = meant.someTasks() || known.size() < tasks.size();
        status = Math.max(status, tell(call, known, some, answers, told));
      }
    }
    answers.complete();
    return status;
  }

  private static boolean isLeaving(Job job) {
    return CellJobs.runs(job) && job.getKilling() == KillPurpose.DELETE;
  }

  /**
   * Tasks of one job: those that run are registered for deletion, those that wait go at once.
   *
   * @param told those that were spoken of already
   */
  private static int tell(
      Call call,
      List<Job> tasks,
      boolean some,
      BirthShards.BirthShardAnswers answers,
      Set<String> told) {
    if (tasks.isEmpty()) {
      return 0;
    }
    String user = call.invocation().user();
    boolean left = false;
    List<String> gone = new ArrayList<>();
    for (Job job : tasks) {
      if (isLeaving(job) || !told.add(job.getId())) {
        call.out("job " + Texts.number(job) + " is already in deletion\n");
        left = true;
        continue;
      }
      Reply reply = answers.of(job);
      if (tasks.size() > 1 && Refusals.gone(reply)) {
        continue; // a task that ended meanwhile
      }
      if (reply.getCode() != 0) {
        call.out(Refusals.delete(user, job, reply));
        return 1;
      }
      if (CellJobs.runs(job)) {
        String noun = Texts.isTask(job) ? "job-array task " : "job ";
        call.out(user + " has registered the " + noun + Texts.id(job) + " for deletion\n");
        left = true;
      } else if (some) {
        gone.add(Integer.toString(job.getSpec().getGridEngine().getTask()));
      }
    }
    long number = Texts.number(tasks.get(0));
    if (gone.size() == 1) {
      call.out(user + " has deleted job-array task " + number + "." + gone.get(0) + "\n");
    } else if (!gone.isEmpty()) {
      String these = String.join(",", gone);
      call.out(user + " has deleted job-array tasks " + these + " of job " + number + "\n");
    }
    boolean waited = tasks.stream().anyMatch(job -> !CellJobs.runs(job));
    if (!some && waited && !(left && tasks.size() == 1)) {
      call.out(user + " has deleted job " + number + "\n");
    }
    return 0;
  }
}
