package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.request.RequestRefused;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;

/** sge/qdel: jobs and tasks by number, name, pattern or owner. */
final class DeleteCommand implements Command {

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    List<String> args = new ArrayList<>(call.args());
    if (args.equals(List.of("-help"))) {
      call.out(Usage.QDEL);
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
        throw new Failure("error: unknown option \"" + arg + "\"\n" + Usage.QDEL, 1);
      }
    }
    if (args.isEmpty() && user.isEmpty()) {
      call.out("ERROR! no option argument\n");
      throw new Failure(Usage.QDEL, 1);
    }
    try {
      return user.isEmpty() ? named(call, Targets.of(args)) : owned(call, user);
    } catch (RequestRefused e) {
      throw new Failure(e.getMessage() + "\n", 1);
    }
  }

  private static int named(Call call, List<Targets.Target> targets)
      throws Failure, QueryException, LinkException, InterruptedException {
    String me = call.invocation().user();
    List<Job> all = CellJobs.all(call, "");
    int status = 0;
    for (Targets.Target target : targets) {
      List<Job> meant =
          all.stream()
              .filter(target::means)
              .filter(job -> target.isNumber() || job.getSpec().getOwner().equals(me))
              .toList();
      if (meant.isEmpty()) {
        call.out(
            target.isNumber()
                ? "denied: job \"" + target.name() + "\" does not exist\n"
                : "The job " + target.name() + " of user(s) " + me + " does not exist\n");
        status = 1;
      }
      for (List<Job> tasks : CellJobs.byNumber(meant).values()) {
        status = Math.max(status, delete(call, tasks, target.tasks() != null));
      }
    }
    return status;
  }

  private static int owned(Call call, String users)
      throws Failure, QueryException, LinkException, InterruptedException {
    int status = 0;
    for (String user : users.split(",")) {
      List<Job> jobs = CellJobs.all(call, user.equals("*") ? "" : user);
      if (jobs.isEmpty()) {
        call.out("There is no job registered for the following users: " + user + "\n");
        status = 1;
      }
      for (List<Job> tasks : CellJobs.byNumber(jobs).values()) {
        status = Math.max(status, delete(call, tasks, false));
      }
    }
    return status;
  }

  /** Tasks of one job: those that run are registered for deletion, those that wait go at once. */
  private static int delete(Call call, List<Job> tasks, boolean some)
      throws Failure, QueryException, LinkException, InterruptedException {
    String user = call.invocation().user();
    boolean left = false;
    for (Job job : tasks) {
      boolean runs = job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
      if (runs && job.getKilling() == KillPurpose.DELETE) {
        call.out("job " + Texts.number(job) + " is already in deletion\n");
        left = true;
        continue;
      }
      Reply reply = Shards.send(call, job, (meta, id) -> new DeleteJob(meta, id, false));
      if (tasks.size() > 1 && Refusals.gone(reply)) {
        continue; // a task that ended meanwhile
      }
      if (reply.getCode() != 0) {
        call.out(Refusals.delete(user, job, reply));
        return 1;
      }
      if (runs) {
        String noun = Texts.isTask(job) ? "job-array task " : "job ";
        call.out(user + " has registered the " + noun + Texts.id(job) + " for deletion\n");
        left = true;
      } else if (some) {
        call.out(user + " has deleted job-array task " + Texts.id(job) + "\n");
      }
    }
    if (!some && !(left && tasks.size() == 1)) {
      boolean waited = tasks.stream().anyMatch(job -> job.getStatus() != JobStatus.RUNNING);
      if (waited) {
        call.out(user + " has deleted job " + Texts.number(tasks.get(0)) + "\n");
      }
    }
    return 0;
  }
}
