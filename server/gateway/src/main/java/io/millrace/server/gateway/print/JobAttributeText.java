package io.millrace.server.gateway.print;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A job's attributes in PBS's order, and the pieces that tables need. */
public final class JobAttributeText {

  static final String VARIABLES = "Variable_List";
  private static final int TERMINATED = 91;
  private static final int FINISHED = 92;
  private static final int FAILED = 93;

  private final Times times;
  private final Times ofServer;
  private final String server;

  public JobAttributeText(Times times, String server) {
    this(times, times, server);
  }

  /**
   * @param times times in the reader's time zone
   * @param ofServer times within comments, in the server's time zone
   */
  public JobAttributeText(Times times, Times ofServer, String server) {
    this.times = times;
    this.ofServer = ofServer;
    this.server = server;
  }

  /**
   * What is shown of a job beside its record.
   *
   * @param comment empty for none
   * @param dependents those that wait for the job
   * @param promisedMs when its scheduler has promised to start it
   * @param promised what it will hold then, as exec_vnode; empty when that is not known
   * @param waited for how long it has waited for resources; empty while that is not shown
   * @param manager whether it is shown to a manager: as what its time counts is for nobody else
   */
  public record Joined(
      String comment,
      List<Dependent> dependents,
      OptionalLong promisedMs,
      String promised,
      Optional<EligibleTime.ShownEligibleTime> waited,
      boolean manager) {

    public static final Joined NOTHING =
        new Joined("", List.of(), OptionalLong.empty(), "", Optional.empty(), false);
  }

  /** All that qstat -f shows. */
  public List<ShownAttribute> attributes(Job job, Joined joined) {
    List<ShownAttribute> shown = new ArrayList<>(64);
    JobSpec spec = job.getSpec();
    shown.add(ShownAttribute.of("Job_Name", spec.getName()));
    shown.add(ShownAttribute.of("Job_Owner", spec.getOwner() + "@" + spec.getSubmitHost()));
    usage(shown, job.getUsed());
    shown.add(ShownAttribute.of("job_state", state(job)));
    shown.add(ShownAttribute.of("queue", spec.getQueue()));
    shown.add(ShownAttribute.of("server", server));
    optional(shown, "Account_Name", spec.getAccount());
    boolean subjob = JobNumbers.isSubjob(job.getNumber());
    if (!subjob) {
      shown.add(ShownAttribute.of("Checkpoint", "u"));
    }
    shown.add(ShownAttribute.of("ctime", times.ctime(job.getCreatedMs())));
    optional(shown, "depend", DependText.of(job, joined.dependents(), server));
    shown.add(ShownAttribute.of("Error_Path", JobPaths.error(job)));
    if (job.getAllocation() != null) {
      shown.add(ShownAttribute.of("exec_host", job.getAllocation().getExecHost()));
      shown.add(ShownAttribute.of("exec_vnode", job.getAllocation().getExecVnode()));
    }
    if (spec.getExecutionMs() > 0) {
      shown.add(ShownAttribute.of("Execution_Time", times.ctime(spec.getExecutionMs())));
    }
    optional(shown, "group_list", JobAttributes.passed(spec, "group_list", ""));
    if (!subjob) {
      shown.add(ShownAttribute.of("Hold_Types", holds(job.getHolds())));
    }
    if (!spec.getTerminal().isEmpty()) {
      shown.add(ShownAttribute.of("interactive", "True"));
    }
    shown.add(ShownAttribute.of("Join_Path", spec.getJoinPath()));
    shown.add(ShownAttribute.of("Keep_Files", JobAttributes.passed(spec, "Keep_Files", "n")));
    shown.add(ShownAttribute.of("Mail_Points", JobAttributes.passed(spec, "Mail_Points", "a")));
    optional(shown, "Mail_Users", JobAttributes.passed(spec, "Mail_Users", ""));
    shown.add(ShownAttribute.of("mtime", times.ctime(job.getModifiedMs())));
    shown.add(ShownAttribute.of("Output_Path", JobPaths.output(job)));
    shown.add(ShownAttribute.of("Priority", spec.getPriority()));
    shown.add(ShownAttribute.of("qtime", times.ctime(job.getQueuedMs())));
    shown.add(ShownAttribute.of("Rerunable", spec.getRerunnable() ? "True" : "False"));
    parts(shown, "Resource_List", spec.getResourceList());
    runTimes(shown, job);
    shown.add(ShownAttribute.of("substate", substate(job)));
    parts(shown, VARIABLES, spec.getVariables());
    optional(shown, "comment", joined.comment());
    if (job.getEligibleMs() >= 0) {
      shown.add(ShownAttribute.of("etime", times.ctime(job.getEligibleMs())));
    }
    optional(shown, "umask", JobAttributes.passed(spec, "umask", ""));
    optional(shown, "block", JobAttributes.passed(spec, "block", ""));
    ending(shown, job, joined);
    return shown;
  }

  private void runTimes(List<ShownAttribute> shown, Job job) {
    if (job.getStartedMs() >= 0) {
      shown.add(ShownAttribute.of("stime", times.ctime(job.getStartedMs())));
    }
    if (job.getFinishedMs() >= 0) {
      shown.add(ShownAttribute.of("obittime", times.ctime(job.getFinishedMs())));
    }
    if (job.getSessionId() > 0) {
      shown.add(ShownAttribute.of("session_id", job.getSessionId()));
    }
    JobSpec spec = job.getSpec();
    optional(shown, "Shell_Path_List", spec.getShell());
    optional(shown, "sandbox", JobAttributes.passed(spec, "sandbox", ""));
    if (job.getStartedMs() >= 0 && job.getArray() == null) {
      JobPaths.directory(job)
          .ifPresent(path -> shown.add(ShownAttribute.of(JobPaths.DIRECTORY, path)));
    }
    optional(shown, "stagein", JobAttributes.passed(spec, "stagein", ""));
    optional(shown, "stageout", JobAttributes.passed(spec, "stageout", ""));
  }

  private void ending(List<ShownAttribute> shown, Job job, Joined joined) {
    JobSpec spec = job.getSpec();
    if (job.getRun() > 0) {
      shown.add(ShownAttribute.of("run_count", job.getRun()));
    }
    if (joined.waited().isPresent()) {
      EligibleTime.ShownEligibleTime waited = joined.waited().get();
      shown.add(ShownAttribute.of("eligible_time", Times.duration(waited.eligibleMs() / 1000)));
      if (joined.manager()) {
        shown.add(ShownAttribute.of("accrue_type", waited.type().ordinal()));
      }
    }
    Delivery.status(job).ifPresent(it -> shown.add(ShownAttribute.of("Stageout_status", it)));
    if (job.getExitStatus() != null) {
      shown.add(ShownAttribute.of("Exit_status", job.getExitStatus()));
    }
    optional(shown, "Submit_arguments", spec.getSubmitArguments());
    if (!spec.getArgv().isEmpty()) {
      shown.add(ShownAttribute.of("executable", element("Executable", spec.getArgv().get(0))));
      StringBuilder arguments = new StringBuilder();
      for (String argument : spec.getArgv().subList(1, spec.getArgv().size())) {
        arguments.append(element("Argument", argument));
      }
      optional(shown, "argument_list", arguments.toString());
    }
    ArrayText.add(shown, job);
    if (!joined.promised().isEmpty()) {
      shown.add(new ShownAttribute("estimated", "exec_vnode", joined.promised()));
    }
    joined
        .promisedMs()
        .ifPresent(
            atMs -> shown.add(new ShownAttribute("estimated", "start_time", times.ctime(atMs))));
    if (job.getStatus() == JobStatus.FINISHED && job.getFinishedMs() >= 0) {
      shown.add(ShownAttribute.of("history_timestamp", job.getFinishedMs() / 1000));
    }
    shown.add(ShownAttribute.of("project", spec.getProject()));
    shown.add(ShownAttribute.of("Submit_Host", spec.getSubmitHost()));
    optional(shown, "create_resv_from_job", spec.getReserveRun() ? "True" : "");
  }

  private static String element(String name, String text) {
    String tag = "jsdl-hpcpa:" + name;
    String safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return "<" + tag + ">" + safe + "</" + tag + ">";
  }

  private static void usage(List<ShownAttribute> shown, Usage used) {
    if (used != null) {
      String name = "resources_used";
      shown.add(new ShownAttribute(name, "cpupercent", Integer.toString(used.getCpupercent())));
      shown.add(new ShownAttribute(name, "cput", Times.duration(used.getCputS())));
      shown.add(new ShownAttribute(name, "mem", used.getMemKb() + "kb"));
      shown.add(new ShownAttribute(name, "ncpus", Integer.toString(used.getNcpus())));
      shown.add(new ShownAttribute(name, "vmem", used.getVmemKb() + "kb"));
      shown.add(new ShownAttribute(name, "walltime", Times.duration(used.getWalltimeS())));
    }
  }

  private static void parts(List<ShownAttribute> shown, String name, List<Attribute> attributes) {
    for (Attribute attribute : attributes) {
      shown.add(new ShownAttribute(name, attribute.getName(), attribute.getValue()));
    }
  }

  private static void optional(List<ShownAttribute> shown, String name, String value) {
    if (!value.isEmpty()) {
      shown.add(ShownAttribute.of(name, value));
    }
  }

  /** Hold_Types: PBS writes the strongest hold first; waiting for an execution time is no hold. */
  public static String holds(String holds) {
    StringBuilder ordered = new StringBuilder();
    for (char letter : "sou".toCharArray()) {
      if (holds.indexOf(letter) >= 0) {
        ordered.append(letter);
      }
    }
    return ordered.length() == 0 ? "n" : ordered.toString();
  }

  /** Value of an entry of Resource_List. */
  public static Optional<String> resource(Job job, String name) {
    return job.getSpec().getResourceList().stream()
        .filter(r -> r.getName().equals(name))
        .map(Attribute::getValue)
        .findFirst();
  }

  /** PBS's letter of a job's state. */
  public static String state(Job job) {
    return switch (job.getStatus()) {
      case QUEUED -> begun(job) ? "B" : "Q";
      case HELD -> waitsForTime(job) ? "W" : "H";
      case TRANSIT -> "T";
      case RUNNING -> suspended(job) ? "S" : "R";
      case EXITING -> "E";
      case FINISHED -> expired(job) ? "X" : "F";
    };
  }

  /** Whether a job waits for nothing but its start time. */
  public static boolean waitsForTime(Job job) {
    return job.getStatus() == JobStatus.HELD && job.getHolds().equals("w");
  }

  /** Whether a job is an array of which a subjob has begun. */
  private static boolean begun(Job job) {
    return job.getArray() != null
        && job.getStartedMs() >= 0
        && !JobNumbers.isSubjob(job.getNumber());
  }

  /** Whether it is a subjob that has ended, of an array that has not. */
  private static boolean expired(Job job) {
    return job.getArray() != null && JobNumbers.isSubjob(job.getNumber());
  }

  /** Whether a job's run is suspended. */
  public static boolean suspended(Job job) {
    return job.getStatus() == JobStatus.RUNNING && job.getSuspension() != Suspension.NONE;
  }

  private static int substate(Job job) {
    return switch (job.getStatus()) {
      case QUEUED -> begun(job) ? 70 : 10;
      case HELD -> waitsForTime(job) ? 30 : DependText.holds(job) ? 22 : 20;
      case TRANSIT -> 0;
      case RUNNING ->
          switch (job.getSuspension()) {
            case NONE -> job.getSessionId() > 0 ? 42 : 41;
            case OPERATOR -> 43;
            case RESUMABLE -> 45;
          };
      case EXITING -> 51;
      case FINISHED -> !job.getEndedBy().isEmpty() ? TERMINATED : failed(job) ? FAILED : FINISHED;
    };
  }

  /** One that never ran has no exit status. */
  private static boolean failed(Job job) {
    return job.getExitStatus() != null && job.getExitStatus() != 0;
  }

  private static boolean succeeded(Job job) {
    return job.getExitStatus() != null && job.getExitStatus() == 0;
  }

  /**
   * The comment of a job that has been held or started; empty for one that waits, whose comment is
   * the scheduler's reason.
   */
  public String comment(Job job) {
    String written = JobAttributes.passed(job.getSpec(), JobAttributes.COMMENT, "");
    if (!written.isEmpty() && job.getStatus() != JobStatus.FINISHED) {
      return written;
    }
    if (!job.getComment().isEmpty()) {
      return job.getComment();
    }
    if (job.getError() != null) {
      return "In the error state: " + job.getError().getMessage();
    }
    boolean byHand = !holds(job.getHolds()).equals("n") && !DependText.onlyHolds(job);
    if (job.getStatus() != JobStatus.FINISHED && byHand) {
      String held = held(job);
      if (!held.isEmpty()) {
        return held;
      }
    }
    if (begun(job) && job.getStatus() == JobStatus.QUEUED) {
      return "Job Array Began at " + ofServer.inComment(job.getStartedMs());
    }
    if (job.getAllocation() == null || job.getStartedMs() < 0 || suspended(job)) {
      return "";
    }
    String run =
        "Job run at "
            + ofServer.inComment(job.getStartedMs())
            + " on "
            + job.getAllocation().getExecVnode();
    if (job.getStatus() != JobStatus.FINISHED) {
      return run;
    }
    if (!job.getEndedBy().isEmpty()) {
      return run + " and terminated by " + job.getEndedBy();
    }
    String lost = lost(job, "finished");
    return run
        + (succeeded(job) ? " and finished" : " and failed" + (lost.isEmpty() ? "" : ", " + lost));
  }

  /**
   * That a run gives way to a reservation.
   *
   * @param how what becomes of it then
   */
  public String givesWay(String how, long atMs, String reservation) {
    return how + " at " + ofServer.inComment(atMs) + " for " + reservation;
  }

  /**
   * That the last run was given up with its node, or had to give way, for a job that waits; empty
   * for others.
   */
  public String requeued(Job job) {
    String lost =
        job.getPreemptedFor().isEmpty()
            ? lost(job, "requeued")
            : "preempted for " + job.getPreemptedFor();
    return lost.isEmpty() ? "" : "Job requeued, " + lost;
  }

  /** Which node was lost when the last run ended so; empty for a run that ended otherwise. */
  private static String lost(Job job, String how) {
    if (job.getExitStatus() == null || job.getExitStatus() != Delivery.NODE_FAILED) {
      return "";
    }
    String lost = "";
    for (JobEvent event : job.getEvents()) {
      int from = event.getDetail().indexOf("execution node ");
      if (event.getWhat().equals(how) && from >= 0) {
        lost = event.getDetail().substring(from);
      }
    }
    return lost;
  }

  /** Who held a job last; empty when it was submitted with its holds. */
  private String held(Job job) {
    String last = "";
    for (JobEvent event : job.getEvents()) {
      if (event.getWhat().equals("held")) {
        String by = event.getDetail().substring(event.getDetail().lastIndexOf(' ') + 1);
        last = "Job held by " + by + " on " + ofServer.ctime(event.getAtMs());
      }
    }
    return last;
  }
}
