package io.millrace.server.gateway.status;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.reasons.LimitSubject;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.operand.SubjobList;
import io.millrace.server.gateway.print.ArrayText;
import io.millrace.server.gateway.print.DependText;
import io.millrace.server.gateway.print.InputText;
import io.millrace.server.gateway.print.JobAttributeText;
import io.millrace.server.gateway.print.ObjectText;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.ReservationNames;
import io.millrace.server.gateway.share.FairShares;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** why JOB: in words, why a job is where it is, with the numbers and times; reservations, too. */
final class Why implements Command {

  private static final String USAGE = "usage: why job_identifier...\n";

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of("", USAGE));
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    GetOpt options = call.options("");
    if (options.wrong() || options.operands().isEmpty()) {
      throw call.usage(USAGE);
    }
    int status = 0;
    for (String text : options.operands()) {
      Optional<String> reservation = ReservationNames.ofReservation(text, call.site().server());
      if (reservation.isPresent()) {
        status = Math.max(status, reservation(call, reservation.get()));
        continue;
      }
      Optional<String> whole = ReservationNames.ofWhole(text, call.site().server());
      if (whole.isPresent()) {
        status = Math.max(status, reservation(call, whole.get()));
        continue;
      }
      JobIds.JobId id = JobIds.parse(text, call.site().server()).orElse(null);
      if (id == null) {
        call.complain("illegally formed job identifier: " + text);
        status = 1;
        continue;
      }
      Job job = SubjobList.job(call.site().queries(), id).orElse(null);
      if (job == null) {
        status = JobList.unseen(call, id, id.id());
        continue;
      }
      call.out(job.getId() + ": " + explain(call.site(), job, call.zone()) + "\n");
    }
    return status;
  }

  private static int reservation(Call call, String id) throws QueryException, InterruptedException {
    WhyReservation why = new WhyReservation(call.site(), new Times(call.zone()));
    boolean whole = ReservationIds.wholeNumber(id) >= 0;
    Optional<String> words = whole ? why.explainWhole(id) : why.explain(id);
    if (words.isEmpty()) {
      call.complain(PbsError.UNKNOWN_RESERVATION.text() + " " + id);
      return PbsError.UNKNOWN_RESERVATION.exitStatus();
    }
    call.out(id + ": " + words.get() + "\n");
    return 0;
  }

  /** Why the job waits, without its id in front. */
  static String explain(Site site, Job job, ZoneId zone)
      throws QueryException, InterruptedException {
    Times times = new Times(zone);
    if (job.getEvents().isEmpty()) {
      return job.getStatus() == JobStatus.QUEUED
          ? "waits behind other subjobs of its array."
          : "has ended; nothing is kept of it but its index.";
    }
    return switch (job.getStatus()) {
      case HELD -> held(job, site.server(), times);
      case TRANSIT ->
          "on its way to queue "
              + job.getOfferedQueue()
              + " in shard "
              + job.getOfferedTo()
              + " since "
              + times.ctime(job.getModifiedMs())
              + ".";
      case RUNNING ->
          JobAttributeText.suspended(job) ? suspended(site, job, times) : running(job, times);
      case EXITING -> running(job, times) + " It is ending.";
      case FINISHED -> finished(job, times);
      case QUEUED -> queued(site, job, times);
    };
  }

  private static String held(Job job, String server, Times times) {
    if (job.getError() != null) {
      return "in the error state since "
          + times.ctime(job.getError().getAtMs())
          + ", since it could not be started: "
          + job.getError().getMessage()
          + "; mend it and type qmod -cj, or delete it.";
    }
    String since = " since " + times.ctime(job.getModifiedMs()) + ".";
    if (JobAttributeText.waitsForTime(job)) {
      return "waits for its time, " + times.ctime(job.getSpec().getExecutionMs()) + ".";
    }
    return DependText.holds(job)
        ? "waits for other jobs (" + DependText.of(job, List.of(), server) + ")" + since
        : "held (" + holders(job.getHolds()) + ")" + since;
  }

  private static String running(Job job, Times times) {
    return "running on "
        + job.getAllocation().getExecVnode()
        + (job.getStartedMs() < 0
            ? "; the host has not reported its start yet."
            : " since " + times.ctime(job.getStartedMs()) + ".")
        + commented(job);
  }

  private static String commented(Job job) {
    return job.getComment().isEmpty() ? "" : " " + job.getComment() + ".";
  }

  private static String suspended(Site site, Job job, Times times)
      throws QueryException, InterruptedException {
    String stands = "suspended on " + job.getAllocation().getExecVnode() + "; ";
    if (job.getSuspension() == Suspension.OPERATOR) {
      return stands + "qsig -s resume has it go on as soon as there is room." + commented(job);
    }
    JobAttributeText text = new JobAttributeText(times, site.server());
    Optional<ClassReason> reason = new JobComments(site, text).reason(job);
    return stands
        + "it goes on as soon as there is room."
        + reason.map(why -> " " + words(site, why, times)).orElse("")
        + commented(job);
  }

  private static String holders(String holds) {
    StringBuilder words = new StringBuilder();
    String released = holds.replace("w", "");
    for (char letter : released.toCharArray()) {
      words.append(words.length() == 0 ? "" : ", ");
      words.append(
          switch (letter) {
            case 'u' -> "user hold";
            case 'o' -> "operator hold";
            case 's' -> "system hold";
            default -> "hold " + letter;
          });
    }
    return words + "; qrls -h " + released + " releases it";
  }

  private static String finished(Job job, Times times) {
    StringBuilder words = new StringBuilder("finished");
    if (job.getFinishedMs() >= 0) {
      words.append(" at ").append(times.ctime(job.getFinishedMs()));
    }
    if (job.getExitStatus() != null) {
      words.append(" with exit status ").append(job.getExitStatus());
      if (job.getExitStatus() > 256) {
        words.append(" (ended by signal ").append(job.getExitStatus() - 256).append(')');
      }
    }
    if (!job.getEndedBy().isEmpty()) {
      words.append(", ended by ").append(job.getEndedBy());
    }
    JobEvent last = job.getEvents().get(job.getEvents().size() - 1);
    if (job.getExitStatus() == null && last.getWhat().equals("deleted")) {
      words.append(" without having run: ").append(last.getDetail());
    }
    return words.append('.').toString();
  }

  /** For whom the last run of a best-effort job ended; empty for others. */
  private static String gaveWay(Job job) {
    return job.getPreemptedFor().isEmpty()
        ? ""
        : "Its run " + job.getRun() + " was ended for " + job.getPreemptedFor() + ". ";
  }

  private static String queued(Site site, Job job, Times times)
      throws QueryException, InterruptedException {
    String queueName = job.getSpec().getQueue();
    Optional<ClusterObject> queue = KnownQueues.known(site, queueName);
    String since = "queued since " + times.ctime(job.getQueuedMs()) + ". " + gaveWay(job);
    if (job.getArray() != null && !JobNumbers.isSubjob(job.getNumber())) {
      ArrayState array = job.getArray();
      since += ArrayText.standing(array) + " ";
      int open = array.getWaiting().size() + array.getBegun().size();
      if (array.getMost() > 0 && array.getBegun().size() == open && open >= array.getMost()) {
        return since + "No more may run at once (max_run_subjobs = " + array.getMost() + ").";
      }
    }
    if (queue.isEmpty()) {
      return since + "Its queue " + queueName + " is not known here.";
    }
    if (job.getRoute() != null) {
      return since + routed(job, queue.get());
    }
    String partition = Site.partitionOf(queue.get());
    String scheduler = site.schedulerOf(queue.get());
    if (scheduler.isEmpty()) {
      return since + "No scheduler serves partition " + partition + " of queue " + queueName + ".";
    }
    boolean scheduling =
        site.cluster()
            .find(ObjectKind.SCHEDULER, scheduler)
            .flatMap(s -> ClusterView.attribute(s, "scheduling"))
            .map("True"::equals)
            .orElse(false);
    if (site.serverAttribute(AttributeTable.TERMINATING).isPresent()) {
      return since + "The server is being ended (qterm): nothing starts until it has begun anew.";
    }
    if (!scheduling) {
      return since + "Scheduler " + scheduler + " has scheduling switched off.";
    }
    Optional<String> unreachable = unreachable(site, queue.get(), job, times);
    if (unreachable.isPresent()) {
      return since + unreachable.get();
    }
    JobAttributeText text = new JobAttributeText(times, site.server());
    Optional<ClassReason> reason = new JobComments(site, text).reason(job);
    if (reason.isEmpty()) {
      return since + "Scheduler " + scheduler + " has not said yet why jobs like it wait.";
    }
    ClassReason why = reason.get();
    return since
        + words(site, why, times)
        + input(site, queue.get(), why, times)
        + share(site, scheduler, job)
        + " ["
        + why.getCode()
        + ", scheduler "
        + scheduler
        + "]";
  }

  /** Where a program says what the server has of what the job lacks: what it says. */
  private static String input(Site site, ClusterObject queue, ClassReason why, Times times)
      throws QueryException, InterruptedException {
    boolean limit = why.getCode().equals(ReasonCode.RESOURCE_LIMIT.name());
    Optional<LimitSubject> subject =
        limit ? LimitSubject.parse(why.getSubject()) : Optional.empty();
    String scheduler = site.schedulerOf(queue);
    Optional<String> programs =
        site.cluster()
            .find(ObjectKind.SCHEDULER, scheduler)
            .flatMap(it -> ClusterView.attribute(it, AttributeTable.SERVER_DYN_RES));
    if (subject.isEmpty() || !subject.get().queue().isEmpty() || programs.isEmpty()) {
      return "";
    }
    return site.queries().schedulers(site.shardOf(queue)).stream()
        .filter(run -> run.getName().equals(scheduler))
        .findFirst()
        .flatMap(run -> InputText.sentence(run, programs.get(), subject.get().resource(), times))
        .map(text -> " " + text)
        .orElse("");
  }

  /** Where fair share decides: whose share the job uses, and how it stands. */
  private static String share(Site site, String scheduler, Job job)
      throws QueryException, InterruptedException {
    Optional<FairShares> shares =
        site.cluster().find(ObjectKind.SCHEDULER, scheduler).flatMap(FairShares::of);
    return shares.isEmpty() ? "" : " " + shares.get().words(site, job.getSpec());
  }

  /** In PBS's words, when the scheduler, which is in the queue's shard, has no working engine. */
  private static Optional<String> unreachable(Site site, ClusterObject queue, Job job, Times times)
      throws QueryException, InterruptedException {
    String scheduler = site.schedulerOf(queue);
    return site.queries().schedulers(site.shardOf(queue)).stream()
        .filter(run -> run.getName().equals(scheduler) && !ObjectText.reachable(run))
        .findFirst()
        .map(
            run ->
                "Unable to reach scheduler associated with job "
                    + job.getId()
                    + " (scheduler "
                    + scheduler
                    + "): its engine is down since "
                    + times.ctime(run.getConditionSinceMs())
                    + ".");
  }

  private static String routed(Job job, ClusterObject queue) {
    String name = "Routing queue " + queue.getName();
    if (ClusterView.attribute(queue, "started").filter("True"::equals).isEmpty()) {
      return name + " is not started.";
    }
    String destinations = ClusterView.attribute(queue, "route_destinations").orElse("none");
    String refused =
        job.getRoute().getRefused().isEmpty()
            ? ""
            : " Refused for good by " + String.join(", ", job.getRoute().getRefused()) + ".";
    return name + " sends it to the first of " + destinations + " that takes it." + refused;
  }

  private static String words(Site site, ClassReason why, Times times) {
    String found =
        why.getSinceMs() > 0 ? " So found at " + times.ctime(why.getSinceMs()) + "." : "";
    return ReasonText.words(why, site.resources(), site.clock().millis(), times::ctime) + found;
  }
}
