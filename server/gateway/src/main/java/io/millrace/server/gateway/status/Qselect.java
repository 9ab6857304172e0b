package io.millrace.server.gateway.status;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.Destinations;
import io.millrace.server.gateway.operand.SubjobList;
import io.millrace.server.gateway.print.JobAttributeText;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.status.JobConditions.Condition;
import io.millrace.server.gateway.status.JobConditions.IllegalValue;
import io.millrace.server.gateway.status.SelectOperator.SelectCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** qselect: the identifiers of the jobs for which all conditions hold, one a line. */
final class Qselect implements Command {

  private static final String USAGE =
      """
      usage: qselect [-a [op]date_time] [-A account_string] [-c [op]interval]
      \t[-h hold_list] [-H] [-J] [-l resource_list] [-N name] [-p [op]priority]
      \t[-q destination] [-r y|n] [-s states] [-t subopt[op]date_time] [-T] [-P project_name]
      \t[-x] [-u user_name]
             qselect --version
      """;

  private static final String LETTERS = "a:A:c:h:HJl:N:p:q:r:s:t:Tu:xP:";
  private static final Pattern RESOURCE =
      Pattern.compile("([^.,]+)\\.(eq|ne|ge|gt|le|lt)\\.([^,]+)(,(?=.))?");
  private static final int OUTPUT_CHARS = 32 << 10;

  /** From so many jobs on, output is shown while the rest is still being read. */
  private static final int STREAM_FROM = 2_000;

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(LETTERS, USAGE));
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    GetOpt options = call.options(LETTERS);
    List<Condition> conditions = conditions(call, options);
    boolean history = options.has('x') || options.has('H');
    if (history && Qstat.hasNoHistory(call)) {
      return 0;
    }
    JobFilter filter = JobFilter.all(history, call.invocation().user());
    String destination = options.has('q') ? options.argument('q') : "@";
    if (destination.isEmpty() || !(destination.equals("@") || Destinations.legal(destination))) {
      throw call.failure("illegally formed destination: " + destination, 2);
    }
    String queue = destination.equals("@") ? "" : Destinations.queue(call, destination);
    if (!queue.isEmpty()) {
      if (KnownQueues.find(call.site(), queue).isEmpty()) {
        throw call.failure(
            PbsError.UNKNOWN_QUEUE.text() + " destination", PbsError.UNKNOWN_QUEUE.exitStatus());
      }
      filter = filter.inQueue(queue);
    }
    Optional<String> owner =
        Optional.ofNullable(options.argument('u')).flatMap(JobConditions::onlyUser);
    list(call, owner.map(filter::ownedBy).orElse(filter), options, conditions);
    return 0;
  }

  private static void list(Call call, JobFilter filter, GetOpt options, List<Condition> conditions)
      throws QueryException, InterruptedException {
    StringBuilder out = new StringBuilder();
    int[] listed = {0};
    call.site()
        .queries()
        .jobs(
            filter,
            job -> {
              SubjobList.SubjobConsumer each =
                  one -> {
                    if (wanted(options, one) && all(conditions, one)) {
                      out.append(one.getId()).append('\n');
                      if (++listed[0] == STREAM_FROM) {
                        call.invocation().streaming();
                      }
                      if (out.length() >= OUTPUT_CHARS) {
                        call.out(out.toString());
                        out.setLength(0);
                      }
                    }
                  };
              if (options.has('T') && job.getArray() != null) {
                SubjobList.of(call.site().queries(), job, each);
              } else {
                each.accept(job);
              }
              return !call.invocation().clientGone();
            });
    if (out.length() > 0) {
      call.out(out.toString());
    }
  }

  /** With -J arrays, with -T subjobs beside jobs, with both subjobs only. */
  private static boolean wanted(GetOpt options, Job job) {
    boolean subjob = JobNumbers.isSubjob(job.getNumber());
    boolean array = !subjob && job.getArray() != null;
    boolean old = SubjobList.old(job) && !options.has('x') && !options.has('H');
    return !old && (!options.has('J') || (options.has('T') ? subjob : array));
  }

  private static boolean all(List<Condition> conditions, Job job)
      throws QueryException, InterruptedException {
    for (Condition condition : conditions) {
      if (!condition.holds(job)) {
        return false;
      }
    }
    return true;
  }

  /** Reads the conditions; reports each wrong option, and the usage once. */
  private static List<Condition> conditions(Call call, GetOpt options) throws Failure {
    List<Condition> conditions = new ArrayList<>();
    if (options.wrong()) {
      throw call.usage(USAGE);
    }
    boolean wrong = !options.operands().isEmpty();
    for (GetOpt.GivenOption option : options.options()) {
      try {
        add(call, option.letter(), option.argument(), conditions);
      } catch (IllegalValue e) {
        call.complain("illegal -" + option.letter() + " value");
        if (option.letter() == 'l') {
          call.invocation().err("resource_list: " + option.argument() + "\n");
        }
        wrong = true;
      }
    }
    if (wrong) {
      throw call.usage(USAGE);
    }
    return conditions;
  }

  private static void add(Call call, char letter, String value, List<Condition> conditions)
      throws Failure, IllegalValue {
    switch (letter) {
      case 'a' -> conditions.add(JobConditions.time(Qselect::executionTime, value, call.clock()));
      case 'A' -> conditions.add(job -> job.getSpec().getAccount().equals(value));
      case 'c' -> conditions.add(JobConditions.checkpoint(value));
      case 'h' -> conditions.add(JobConditions.holds(value));
      case 'H' -> conditions.add(job -> job.getStatus() == JobStatus.FINISHED);
      case 'l' -> resources(call, value, conditions);
      case 'N' -> conditions.add(job -> job.getSpec().getName().equals(value));
      case 'p' -> conditions.add(JobConditions.priority(call, value));
      case 'P' -> conditions.add(job -> job.getSpec().getProject().equals(value));
      case 'r' -> conditions.add(JobConditions.rerunnable(value));
      case 's' -> conditions.add(JobConditions.state(value));
      case 't' -> conditions.add(time(call, value));
      case 'u' -> conditions.add(JobConditions.users(value));
      default -> {
        // The destination and finished jobs are a matter of what is asked of the shards, and
        // arrays and subjobs one of the kind of job.
      }
    }
  }

  private static void resources(Call call, String list, List<Condition> conditions)
      throws Failure, IllegalValue {
    Matcher part = RESOURCE.matcher(list);
    int at = 0;
    while (at < list.length() || at == 0) {
      if (!part.find(at) || part.start() != at) {
        throw new IllegalValue();
      }
      SelectCondition wanted = JobConditions.ordered("." + part.group(2) + "." + part.group(3));
      try {
        conditions.add(JobConditions.resource(part.group(1), wanted, call.site().resources()));
      } catch (RequestException e) {
        String text =
            e.code() == PbsError.UNKNOWN_RESOURCE.code()
                ? PbsError.UNKNOWN_RESOURCE.text() + " Resource_List." + part.group(1)
                : e.getMessage();
        throw call.failure(text, PbsError.exitStatus(e.code()));
      }
      at = part.end();
    }
  }

  private static Condition time(Call call, String value) throws Failure, IllegalValue {
    if (value.isEmpty()) {
      throw new IllegalValue();
    }
    if (value.charAt(0) == 'g') {
      return JobConditions.duration(waited(call), value.substring(1));
    }
    JobConditions.JobTime time =
        switch (value.charAt(0)) {
          case 'a' -> Qselect::executionTime;
          case 'c' -> job -> OptionalLong.of(job.getCreatedMs());
          case 'e' -> job -> OptionalLong.of(job.getEligibleMs());
          case 'm' -> job -> OptionalLong.of(job.getModifiedMs());
          case 'q' -> job -> OptionalLong.of(job.getQueuedMs());
          case 's' -> job -> OptionalLong.of(job.getStartedMs());
          case 't' -> expectedStart(call);
          default -> throw new IllegalValue();
        };
    return JobConditions.time(time, value.substring(1), call.clock());
  }

  /** How long a job has waited; PBS reads a date there, which is no use. */
  private static JobConditions.JobTime waited(Call call) {
    Site site = call.site();
    JobComments comments =
        new JobComments(
            site, new JobAttributeText(new Times(site.clock().getZone()), site.server()));
    long nowMs = site.clock().millis();
    return job ->
        comments
            .waited(job, nowMs)
            .map(it -> OptionalLong.of(it.eligibleMs()))
            .orElse(OptionalLong.empty());
  }

  private static JobConditions.JobTime expectedStart(Call call) {
    Site site = call.site();
    JobComments comments =
        new JobComments(
            site, new JobAttributeText(new Times(site.clock().getZone()), site.server()));
    long nowMs = site.clock().millis();
    return job -> comments.expectedStart(job, nowMs);
  }

  private static OptionalLong executionTime(Job job) {
    long ms = job.getSpec().getExecutionMs();
    return ms > 0 ? OptionalLong.of(ms) : OptionalLong.empty();
  }
}
