package io.millrace.server.gridengine.change;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
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
import java.util.List;

/** sge/qhold and sge/qrls. */
public final class HoldCommand implements Command {

  private static final int NOT_MANAGER = 10;
  private static final int NOT_OWNER = 18;
  private static final int NO_SUCH_JOB = 3;

  private final boolean hold;

  /**
   * @param hold true for qhold, false for qrls
   */
  public HoldCommand(boolean hold) {
    this.hold = hold;
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    List<String> args = new ArrayList<>(call.args());
    String usage = String.format(UsageTexts.QHOLD, hold ? "qhold" : "qrls");
    if (args.equals(List.of("-help"))) {
      call.out(usage);
      return 0;
    }
    String holds = "u";
    int option = args.indexOf("-h");
    if (option >= 0 && option + 1 < args.size()) {
      holds = args.remove(option + 1).replace(",", "").replaceAll("(.)(?=.*\\1)", "");
      args.remove(option);
    }
    if (!holds.matches("[uos]{1,3}|n") || args.isEmpty() || args.get(0).startsWith("-")) {
      throw new Failure(usage, 1);
    }
    if (holds.equals("n")) {
      return 0;
    }
    String denied = denied(call, holds);
    if (!denied.isEmpty()) {
      call.out(denied);
      return NOT_MANAGER;
    }
    try {
      return change(call, Targets.of(args), holds);
    } catch (RequestRefused e) {
      throw new Failure(e.getMessage() + "\n", 1);
    }
  }

  /** System holds are the managers', operator holds the operators'. */
  private String denied(Call call, String holds) {
    boolean manager = call.role() == Role.MANAGER;
    boolean operator = manager || call.role() == Role.OPERATOR;
    String needed =
        holds.contains("s") && !manager
            ? "manager"
            : holds.contains("o") && !operator ? "operator" : "";
    return needed.isEmpty() ? "" : denied(call, needed, hold);
  }

  private static String denied(Call call, String role, boolean hold) {
    return "denied: \""
        + call.invocation().user()
        + "\" must be "
        + role
        + (hold ? " to set " : " to remove ")
        + role
        + " hold\n";
  }

  /**
   * Why qalter -h may not do that: n removes the managers' holds too.
   *
   * @param held whether there is anything to remove
   */
  static String deniedAltering(Call call, String holds, boolean held) {
    if (holds.contains("n")) {
      return held && call.role() != Role.MANAGER ? denied(call, "manager", false) : "";
    }
    return new HoldCommand(true).denied(call, holds);
  }

  private int change(Call call, List<Targets.JobTarget> targets, String holds)
      throws Failure, QueryException, LinkException, InterruptedException {
    List<Job> all = CellJobs.all(call, "");
    List<Job> meant =
        all.stream().filter(job -> targets.stream().anyMatch(it -> it.means(job))).toList();
    BirthShards.BirthShardAnswers answers =
        BirthShards.send(
            call,
            meant,
            (meta, job) ->
                hold
                    ? new HoldJob(meta, job.getId(), holds)
                    : new ReleaseJob(meta, job.getId(), holds));
    int status = 0;
    for (Targets.JobTarget target : targets) {
      status = Math.max(status, tell(call, target, meant, answers));
    }
    answers.complete();
    return status;
  }

  /** Says how it went with what the command line means by one of its words. */
  private static int tell(
      Call call, Targets.JobTarget target, List<Job> all, BirthShards.BirthShardAnswers answers) {
    List<Job> meant = all.stream().filter(target::means).toList();
    if (meant.isEmpty()) {
      call.out("denied: job \"" + target.name() + "\" does not exist\n");
      return NO_SUCH_JOB;
    }
    for (Job job : meant) {
      if (!answers.has(job)) {
        continue; // why is said at the end
      }
      Reply reply = answers.of(job);
      if (meant.size() > 1 && Refusals.gone(reply)) {
        continue; // a task that ended meanwhile
      }
      if (reply.getCode() != 0) {
        call.out(Refusals.change(call.invocation().user(), job, reply));
        return NOT_OWNER;
      }
      call.out("modified hold of " + Texts.noun(job) + "\n");
    }
    return 0;
  }
}
