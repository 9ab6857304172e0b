package io.millrace.server.gateway.trace;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.operand.SubjobList;
import io.millrace.server.gateway.print.ShownText;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.ReservationNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * tracejob: all that is known of a job, oldest first. What happened to it comes from the server's
 * own record as long as that is kept, which is a little ahead of the logs; the rest from the files.
 */
final class Tracejob implements Command {

  private static final String USAGE =
      """
      USAGE: tracejob [-a|s|l|m|v] [-w size] [-p path] [-n days] [-f filter_type] job_identifier...
         -p : path to PBS_HOME
         -w : number of columns of your terminal
         -n : number of days in the past to look for job(s) [default 1]
         -f : filter out types of log entries, multiple -f's can be specified
              error, system, admin, job, job_usage, security, sched, debug,\s
              debug2, resv, debug3, debug4, force or absolute numberic equiv
         -z : toggle filtering excessive messages
         -c : what message count is considered excessive
         -a : don't use accounting log files
         -s : don't use server log files
         -l : don't use scheduler log files
         -m : don't use mom log files
         -v : verbose mode - show more error messages

             tracejob --version
         --version : display version only

      """;

  private static final int JOB_EVENT = 0x0008;
  private static final int TEXT_COLUMN = 26;
  private static final int AFTER_LOG = 1 << 30;

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(Tracing.LETTERS, USAGE));
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    List<String> complaints = new ArrayList<>();
    GetOpt options = GetOpt.parse(Tracing.LETTERS, call.args(), false, complaints::add);
    int terminal = call.invocation().stdoutIsTerminal() ? call.invocation().columns() : 0;
    Tracing tracing = options.wrong() ? null : Tracing.of(options.options(), terminal);
    if (tracing == null || options.operands().isEmpty()) {
      call.out(USAGE + "default prefix path = " + call.site().home() + "\nfilter_excessive: ON\n");
      complaints.stream().filter(c -> !c.endsWith("'-'")).forEach(call::complain);
      return 1;
    }
    int status = 0;
    for (String text : options.operands()) {
      status = Math.max(status, trace(call, tracing, text));
    }
    return status;
  }

  private static int trace(Call call, Tracing tracing, String text)
      throws QueryException, InterruptedException {
    JobIds.JobId id = JobIds.parse(text, call.site().server()).orElse(null);
    String reservation = ReservationNames.ofReservation(text, call.site().server()).orElse("");
    String name = id != null ? id.id() : reservation.isEmpty() ? text : reservation;
    if (id != null && call.site().queries().hides(id.number())) {
      return JobList.unseen(call, id, name);
    }
    List<TracedLine> lines = new ArrayList<>();
    boolean recorded = false;
    if (id != null && !tracing.leaves('s') && tracing.prefix().isEmpty()) {
      List<TracedLine> record = record(call, id);
      recorded = !record.isEmpty();
      lines.addAll(record);
    }
    for (TracedLine line : new TracedFiles(call, tracing).lines(name::equals)) {
      if (!recorded || line.file() != 'S' || line.event() != JOB_EVENT) {
        lines.add(line);
      }
    }
    if (!reservation.isEmpty() && !tracing.leaves('s') && tracing.prefix().isEmpty()) {
      TracedReservation.add(call, reservation, lines);
    }
    if (lines.isEmpty()) {
      String days = tracing.days() + " day" + (tracing.days() == 1 ? "" : "s");
      call.invocation()
          .err("\ntracejob: Couldn't find Job Id " + name + " in logs of past " + days + "\n\n");
      return 1;
    }
    StringBuilder out = new StringBuilder("\nJob: " + name + "\n\n");
    for (TracedLine line : tracing.shown(lines)) {
      out.append(String.format("%-20s %-5c", line.time(), line.file()));
      wrap(out, ShownText.line(line.text()), tracing.form().columns());
    }
    call.out(out.toString());
    return 0;
  }

  /** Breaks a text at spaces so that it stays right of its column. */
  private static void wrap(StringBuilder out, String text, int columns) {
    int width = columns - TEXT_COLUMN;
    int from = 0;
    while (width > 0 && text.length() - from > width) {
      int space = text.lastIndexOf(' ', from + width);
      if (space <= from) {
        space = text.indexOf(' ', from + width);
      }
      if (space < 0) {
        break;
      }
      out.append(text, from, space).append('\n').append(" ".repeat(TEXT_COLUMN));
      from = space + 1;
    }
    out.append(text, from, text.length()).append('\n');
  }

  private static List<TracedLine> record(Call call, JobIds.JobId id)
      throws QueryException, InterruptedException {
    Job job = SubjobList.job(call.site().queries(), id).orElse(null);
    List<TracedLine> lines = new ArrayList<>();
    if (job != null) {
      Times times = new Times(call.site().clock().getZone());
      for (JobEvent event : job.getEvents()) {
        String time = times.inLog(event.getAtMs());
        // Behind what the log has of the same second: that a job comes into a queue is told first.
        int number = AFTER_LOG + lines.size();
        lines.add(new TracedLine(time, 'S', number, JOB_EVENT, job.getId(), words(job, event)));
      }
    }
    return lines;
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
      case "answered" -> "Answer of its cluster to " + event.getDetail();
      default -> wished(event);
    };
  }

  /** The text of an event that somebody asked for: what, and by whom. */
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
