package io.millrace.server.gateway.command;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** tracejob: a job's own history, oldest first. */
final class Tracejob implements Command {

  private static final String USAGE =
      """
      USAGE: tracejob job_identifier...
             tracejob --version
      """;

  private static final Map<Character, String> REFUSED =
      Map.ofEntries(
          Map.entry('a', "there is one history, not several log files"),
          Map.entry('s', "there is one history, not several log files"),
          Map.entry('l', "there is one history, not several log files"),
          Map.entry('m', "there is one history, not several log files"),
          Map.entry('v', "there is one history, not several log files"),
          Map.entry('z', "nothing is left out"),
          Map.entry('c', "nothing is left out"),
          Map.entry('w', "lines are not wrapped"),
          Map.entry('p', "histories are kept by the server"),
          Map.entry('f', "nothing is left out"));

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    // PBS's tracejob says its usage on standard output, and ends with 1 when asked for it.
    if (call.args().equals(List.of("--help"))) {
      call.out(USAGE);
      return 1;
    }
    List<String> complaints = new ArrayList<>();
    GetOpt options = GetOpt.parse("aslmvw:p:n:f:zc:", call.args(), false, complaints::add);
    for (GetOpt.Option option : options.options()) {
      // The history has no end: looking n days back finds all there is.
      if (REFUSED.containsKey(option.letter())) {
        throw call.refused("-" + option.letter(), REFUSED.get(option.letter()));
      }
      if (option.letter() == 'n') {
        throw call.refused("-n", "the whole history is shown");
      }
    }
    if (options.wrong() || options.operands().isEmpty()) {
      call.out(USAGE);
      complaints.stream().filter(c -> !c.endsWith("'-'")).forEach(call::complain);
      return 1;
    }
    int status = 0;
    for (String text : options.operands()) {
      status = Math.max(status, trace(call, text));
    }
    return status;
  }

  private static int trace(Call call, String text) throws QueryException, InterruptedException {
    JobIds.JobId id = JobIds.parse(text, call.site().server()).orElse(null);
    if (id == null) {
      call.complain("illegally formed job identifier: " + text);
      return 1;
    }
    Job job = SubjobList.job(call.site().queries(), id).orElse(null);
    if (job == null) {
      call.complain("Unknown Job Id " + id.id());
      return Failure.status(JobList.UNKNOWN_JOB);
    }
    Times times = new Times(call.site().clock().getZone());
    StringBuilder out = new StringBuilder("\nJob: " + job.getId() + "\n\n");
    for (JobEvent event : job.getEvents()) {
      out.append(times.inLog(event.getAtMs())).append("  S    ").append(words(job, event));
      out.append('\n');
    }
    call.out(out.toString());
    return 0;
  }

  /** PBS's sentence for the events that it has, else the event itself. */
  private static String words(Job job, JobEvent event) {
    String owner = job.getSpec().getOwner() + "@" + job.getSpec().getSubmitHost();
    return switch (event.getWhat()) {
      case "queued" ->
          "Job Queued at request of "
              + owner
              + ", owner = "
              + owner
              + ", job name = "
              + job.getSpec().getName()
              + ", queue = "
              + event.getDetail();
      case "granted" -> "Job Run at request of Scheduler, " + event.getDetail();
      case "started" -> "Started, " + event.getDetail();
      case "finished" -> "Job ended, " + event.getDetail();
      case "released" ->
          event.getDetail().startsWith("w by ") ? "Its time has come" : wished(event);
      case "began" -> "Job Array Began";
      case "dependency" -> "Dependency on job " + event.getDetail() + " released.";
      case "deleted" -> event.getDetail().startsWith("by ") ? wished(event) : event.getDetail();
      default -> wished(event);
    };
  }

  /** What somebody wished; the detail is then what, and by whom. */
  private static String wished(JobEvent event) {
    int by = event.getDetail().lastIndexOf("by ");
    if (by < 0) {
      return "Job " + event.getWhat() + " " + event.getDetail();
    }
    String what = event.getDetail().substring(0, by).strip();
    String request = " at request of " + event.getDetail().substring(by + 3);
    return switch (event.getWhat()) {
      case "held" -> "Holds " + what + " set" + request;
      case "released" -> "Holds " + what + " released" + request;
      case "altered" -> "Job Modified" + request + ": " + what;
      case "cut" -> "Subjobs " + what + " deleted" + request;
      case "signal" -> "Job signaled with " + what + request;
      case "resumable" -> "Job to be resumed, " + what + request;
      case "kill" -> "Job to be " + (what.equals("delete") ? "deleted" : what) + request;
      default -> ("Job " + event.getWhat() + " " + what).strip() + request;
    };
  }
}
