package io.millrace.server.gridengine.change;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Suspension;
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
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/** sge/qmod: what it does with jobs. Queue instances are changed with the cell's configuration. */
public final class ModifyCommand implements Command {

  /** What is done with a job. */
  private enum JobModification {
    CLEAR {
      @Override
      String already(String user, Job job) {
        return job.getError() == null ? capital(Texts.noun(job)) + " is not in error state" : "";
      }

      @Override
      int alreadyStatus() {
        return 1;
      }

      @Override
      SpecificRecord command(CommandMeta meta, Job job, boolean force) {
        return new ReleaseJob(meta, job.getId(), "e");
      }

      @Override
      String done(Call call, Job job) {
        return call.invocation().user()
            + "@"
            + call.site().host()
            + " cleared error state of "
            + Texts.noun(job);
      }
    },
    SUSPEND {
      @Override
      String already(String user, Job job) {
        boolean stands = CellJobs.runs(job) && job.getSuspension() != Suspension.NONE;
        return stands ? user + " - " + Texts.noun(job) + " is already suspended" : "";
      }

      @Override
      SpecificRecord command(CommandMeta meta, Job job, boolean force) {
        return new SignalJob(meta, job.getId(), "suspend");
      }

      @Override
      String done(Call call, Job job) {
        return call.invocation().user() + " - suspended " + Texts.noun(job);
      }
    },
    UNSUSPEND {
      @Override
      String already(String user, Job job) {
        boolean goes = CellJobs.runs(job) && job.getSuspension() == Suspension.NONE;
        return goes ? user + " - " + Texts.noun(job) + " is already unsuspended" : "";
      }

      @Override
      SpecificRecord command(CommandMeta meta, Job job, boolean force) {
        return new SignalJob(meta, job.getId(), "resume");
      }

      @Override
      String done(Call call, Job job) {
        return call.invocation().user() + " - unsuspended " + Texts.noun(job);
      }
    },
    RESCHEDULE {
      @Override
      SpecificRecord command(CommandMeta meta, Job job, boolean force) {
        return new RerunJob(meta, job.getId(), force);
      }

      @Override
      String done(Call call, Job job) {
        return "Pushed rescheduling of "
            + Texts.noun(job)
            + " on host "
            + job.getAllocation().getShares().get(0).getNode();
      }
    };

    /** What is said of a job with which nothing is to be done; empty when there is. */
    String already(String user, Job job) {
      return "";
    }

    int alreadyStatus() {
      return 0;
    }

    abstract SpecificRecord command(CommandMeta meta, Job job, boolean force);

    abstract String done(Call call, Job job);

    /** Whether a job that waits is passed over without a word. */
    boolean ofRuns() {
      return this != CLEAR;
    }

    private static String capital(String noun) {
      return Character.toUpperCase(noun.charAt(0)) + noun.substring(1);
    }
  }

  private static final Map<String, JobModification> OPTIONS =
      Map.of(
          "-c", JobModification.CLEAR,
          "-cj", JobModification.CLEAR,
          "-s", JobModification.SUSPEND,
          "-sj", JobModification.SUSPEND,
          "-us", JobModification.UNSUSPEND,
          "-usj", JobModification.UNSUSPEND,
          "-r", JobModification.RESCHEDULE,
          "-rj", JobModification.RESCHEDULE);

  private static final List<String> OF_QUEUES = List.of("-cq", "-d", "-e", "-rq", "-sq", "-usq");

  /** An option with its operands. */
  private record ModifyOption(JobModification change, List<Targets.JobTarget> targets) {}

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    if (call.args().equals(List.of("-help"))) {
      call.out(UsageTexts.QMOD);
      return 0;
    }
    boolean force = call.args().contains("-f");
    List<ModifyOption> parts =
        parts(call.args().stream().filter(arg -> !arg.equals("-f")).toList());
    int status = 0;
    for (ModifyOption part : parts) {
      status = Math.max(status, change(call, part, force));
    }
    return status;
  }

  private static List<ModifyOption> parts(List<String> args) throws Failure {
    if (args.isEmpty()) {
      throw new Failure("ERROR! no option argument\n" + UsageTexts.QMOD, 1);
    }
    List<ModifyOption> parts = new ArrayList<>();
    int i = 0;
    while (i < args.size()) {
      String option = args.get(i++);
      if (OF_QUEUES.contains(option)) {
        throw new Failure(
            "qmod: option "
                + option
                + " is not supported: queue instances change with the configuration of the cell,"
                + " and pbsnodes -o takes a host out\n",
            1);
      }
      if (!OPTIONS.containsKey(option)) {
        throw new Failure("invalid option argument \"" + option + "\"\n" + UsageTexts.QMOD, 1);
      }
      int from = i;
      while (i < args.size() && (!args.get(i).startsWith("-") || args.get(i).equals("-t"))) {
        i++;
      }
      if (from == i) {
        throw new Failure(option + " option must have argument\n" + UsageTexts.QMOD, 1);
      }
      try {
        parts.add(new ModifyOption(OPTIONS.get(option), Targets.of(args.subList(from, i))));
      } catch (RequestRefused e) {
        throw new Failure(e.getMessage() + "\n", 1);
      }
    }
    return parts;
  }

  private static int change(Call call, ModifyOption part, boolean force)
      throws Failure, QueryException, LinkException, InterruptedException {
    List<Job> all = CellJobs.all(call, "");
    List<Job> open =
        all.stream()
            .filter(job -> part.targets().stream().anyMatch(it -> it.means(job)))
            .filter(job -> mayModify(call, job) && open(call, part.change(), job))
            .toList();
    BirthShards.BirthShardAnswers answers =
        BirthShards.send(call, open, (meta, job) -> part.change().command(meta, job, force));
    int status = 0;
    for (Targets.JobTarget target : part.targets()) {
      List<Job> meant = all.stream().filter(target::means).toList();
      if (meant.isEmpty()) {
        call.out("invalid queue or job \"" + target.name() + "\"\n");
        status = 1;
      }
      for (Job job : meant) {
        status = Math.max(status, tell(call, part.change(), job, answers));
      }
    }
    answers.complete();
    return status;
  }

  /** Owners may modify their jobs; the shard has the last word. */
  private static boolean mayModify(Call call, Job job) {
    return job.getSpec().getOwner().equals(call.invocation().user())
        || call.role() == Role.OPERATOR
        || call.role() == Role.MANAGER;
  }

  private static boolean open(Call call, JobModification change, Job job) {
    return change.already(call.invocation().user(), job).isEmpty()
        && (!change.ofRuns() || CellJobs.runs(job));
  }

  /** Says how it went with a job. */
  private static int tell(
      Call call, JobModification change, Job job, BirthShards.BirthShardAnswers answers) {
    String user = call.invocation().user();
    String denied =
        user + " - you have no permission to modify job \"" + Texts.number(job) + "\"\n";
    if (!mayModify(call, job)) {
      call.out(denied);
      return 1;
    }
    String already = change.already(user, job);
    if (!already.isEmpty()) {
      call.out(already + "\n");
      return change.alreadyStatus();
    }
    if (!open(call, change, job) || !answers.has(job)) {
      return 0; // it waits; or why is said at the end
    }
    Reply reply = answers.of(job);
    int code = reply.getCode();
    if (code == 0) {
      call.out(change.done(call, job) + "\n");
      return 0;
    }
    if (code == PbsError.NOT_RERUNNABLE.code()) {
      call.out("The " + Texts.noun(job) + " is not restartable\n");
      return 0;
    }
    if (Refusals.gone(reply)) {
      call.out("invalid queue or job \"" + Texts.id(job) + "\"\n");
    } else if (code == PbsError.UNAUTHORIZED.code()) {
      call.out(denied);
    } else {
      call.out(Refusals.change(user, job, reply));
    }
    return 1;
  }
}
