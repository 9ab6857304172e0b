package io.millrace.server.gateway.admin;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.operand.RunningSubjobs;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/**
 * {@code qterm -t immediate} and {@code -t delay}: nothing starts any more, what runs is requeued
 * where that is allowed, and otherwise deleted or awaited; then the server ends. Until then nothing
 * is permanent: interrupting it, or restarting the gateway, allows starts again.
 */
final class ServerEnd {

  static final String IMMEDIATE = "immediate";
  static final String DELAY = "delay";

  private static final int REFUSED = 2;
  private static final int INTERRUPTED = 1;
  private static final long LOOK_MS = 500;

  /** Default time, that for which qrerun waits for one job. */
  private static final long STANDARD_S = 45;

  /** A cycle that was under way may still get a start granted. */
  private static final int LOOKS = 2;

  /** Interval at which all jobs are listed; in between only those that were running are queried. */
  private static final long LIST_S = 30;

  /** Minutes for which a shard may be without an owner while runs are listed. */
  private static final long ABSENCE_MIN = 10;

  private static final int NAMED_MAX = 10;
  private static final int ORDERS_AT_ONCE = 100;

  private final Call call;
  private final String way;

  /** Runs that were asked to end, as job id and number of the run. */
  private final Set<String> asked = new HashSet<>();

  /** Jobs that ran at the last look. */
  private List<Job> running = new ArrayList<>();

  /** Whether {@link #running} is from a list of all jobs. */
  private boolean listed;

  private long listedNanos;
  private int lists;

  private ServerEnd(Call call, String way) {
    this.call = call;
    this.way = way;
  }

  /**
   * Returns when the end of the server has begun.
   *
   * @param way {@link #IMMEDIATE} or {@link #DELAY}
   * @throws Failure when the server cannot be ended; starts are allowed again then
   */
  static int run(Call call, String way)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    TerminateProgram.require(call);
    call.invocation().lasts();
    set(call, way);
    boolean begun = false;
    try {
      begun = new ServerEnd(call, way).clear() && TerminateProgram.begin(call) == 0;
      return begun ? 0 : INTERRUPTED;
    } finally {
      if (!begun) {
        takeBack(call, way);
      }
    }
  }

  /** The command has an id of its own: one that is repeated sets it again. */
  private static void set(Call call, String value)
      throws Failure, LinkException, InterruptedException {
    AttributeChange change =
        new AttributeChange(AttributeTable.TERMINATING, value, AttributeOperation.ASSIGN);
    ChangeOperation operation = value.isEmpty() ? ChangeOperation.UNSET : ChangeOperation.SET;
    String name = call.site().cluster().server().map(ClusterObject::getName).orElse("server");
    CommandMeta meta = call.meta(CommandIds.base(call.site().clock().millis()), "ending");
    ChangeObject command =
        new ChangeObject(meta, operation, ObjectKind.SERVER, name, List.of(change));
    Reply reply = call.await(call.sendAsync(Topics.ADMINISTRATIVE_SHARD, meta, command));
    if (reply.getCode() != 0) {
      throw call.failure(JobList.text(reply), REFUSED);
    }
  }

  private static boolean stands(Call call, String way) throws LinkException, InterruptedException {
    call.site().cluster().barrier();
    return call.site().serverAttribute(AttributeTable.TERMINATING).filter(way::equals).isPresent();
  }

  /** Allows starts again, unless another qterm has set the attribute meanwhile. */
  private static void takeBack(Call call, String way) throws InterruptedException {
    try {
      if (stands(call, way)) {
        set(call, "");
      }
    } catch (Failure | LinkException e) {
      call.complain(
          "nothing starts until a gateway begins anew, or somebody says qmgr -c \"unset server "
              + AttributeTable.TERMINATING
              + "\": "
              + e.getMessage().strip());
    }
  }

  /** Waits until nothing runs; false when the client has gone meanwhile. */
  private boolean clear() throws Failure, LinkException, QueryException, InterruptedException {
    long heardNanos = System.nanoTime();
    long endNanos = heardNanos + TimeUnit.SECONDS.toNanos(patienceSeconds());
    for (int quiet = 0; quiet < LOOKS; ) {
      if (call.invocation().clientGone()) {
        return false;
      }
      boolean last = way.equals(IMMEDIATE) && System.nanoTime() - endNanos >= 0;
      try {
        look(last);
        heardNanos = System.nanoTime();
      } catch (LinkException | QueryException e) {
        // A shard without an owner will get one; the wait, which may last for days, goes on.
        boolean lost = System.nanoTime() - heardNanos >= TimeUnit.MINUTES.toNanos(ABSENCE_MIN);
        if (last ? lists == 0 : lost) {
          throw e;
        }
        listed = false;
      }
      if (last) {
        return endsAllTheSame();
      }
      quiet = listed && running.isEmpty() ? quiet + 1 : 0;
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return true;
  }

  private boolean endsAllTheSame() {
    if (call.invocation().clientGone()) {
      return false;
    }
    if (!running.isEmpty()) {
      call.complain(
          running.size() + " jobs end without the server, when their hosts do so: " + ids(running));
    }
    return true;
  }

  /** Looks up the running jobs, and requeues or deletes those that may be ended. */
  private void look(boolean last)
      throws Failure, LinkException, QueryException, InterruptedException {
    if (!stands(call, way)) {
      throw call.failure(
          "taken back: the server's attribute " + AttributeTable.TERMINATING + " was changed",
          REFUSED);
    }
    // Runs that were granted meanwhile, by a cycle under way or qrun, are not in an earlier list.
    boolean due = System.nanoTime() - listedNanos >= TimeUnit.SECONDS.toNanos(LIST_S);
    if (!listed || running.isEmpty() || lists < LOOKS || last || due) {
      running = running();
      listedNanos = System.nanoTime();
      listed = true;
      lists++;
    } else {
      dropEnded();
    }
    order();
  }

  private long patienceSeconds() {
    return call.site()
        .serverAttribute("job_requeue_timeout")
        .flatMap(AttributeType::parseSeconds)
        .orElse(STANDARD_S);
  }

  private static String ids(List<Job> jobs) {
    String first = jobs.stream().limit(NAMED_MAX).map(Job::getId).collect(Collectors.joining(" "));
    return jobs.size() > NAMED_MAX ? first + " ..." : first;
  }

  /** Jobs and subjobs with a run, whoever's they are. */
  private List<Job> running() throws QueryException, InterruptedException {
    Queries queries = call.wholeSite().queries();
    List<Job> running = new ArrayList<>();
    List<Job> arrays = new ArrayList<>();
    queries.jobs(
        JobFilter.all(false, call.invocation().user()),
        job -> {
          if (job.getArray() != null && !JobNumbers.isSubjob(job.getNumber())) {
            arrays.add(job);
          } else if (runs(job)) {
            running.add(job);
          }
          return true;
        });
    for (Job array : arrays) {
      if (array.getArray().getBegun().isEmpty()) {
        continue;
      }
      List<Job> page = queries.subjobs(array, 0);
      while (!page.isEmpty()) {
        page.stream().filter(ServerEnd::runs).forEach(running::add);
        int last = JobNumbers.index(page.get(page.size() - 1).getNumber());
        page = page.size() < Queries.SUBJOBS_AT_ONCE ? List.of() : queries.subjobs(array, last + 1);
      }
    }
    return running;
  }

  /** Queries the jobs that were running, up to the first that still runs. */
  private void dropEnded() throws QueryException, InterruptedException {
    while (!running.isEmpty()) {
      Job first = running.get(running.size() - 1);
      if (call.wholeSite().queries().job(first.getNumber()).filter(ServerEnd::runs).isPresent()) {
        return;
      }
      running.remove(running.size() - 1);
    }
  }

  private static boolean runs(Job job) {
    return job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
  }

  /** Sends some commands at a time, so that an interruption takes effect soon. */
  private void order() throws LinkException, QueryException, InterruptedException {
    List<Job> fresh = running.stream().filter(this::mayEnd).toList();
    Optional<LinkException> failure = Optional.empty();
    for (int i = 0; i < fresh.size() && !call.invocation().clientGone(); i += ORDERS_AT_ONCE) {
      List<Job> some = fresh.subList(i, Math.min(i + ORDERS_AT_ONCE, fresh.size()));
      // A shard that does not answer must not keep the others from being asked.
      Optional<LinkException> silent = order(some);
      failure = failure.or(() -> silent);
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private Optional<LinkException> order(List<Job> jobs)
      throws QueryException, InterruptedException {
    List<Call.Addressed> commands = new ArrayList<>();
    for (Job job : jobs) {
      int shard = call.wholeSite().queries().birth(job.getNumber()).orElse(0);
      commands.add(new Call.Addressed(shard, "end " + runOf(job), meta -> command(meta, job)));
    }
    Call.CommandAnswers answers = call.sendAll(commands);
    for (int i = 0; i < jobs.size(); i++) {
      Reply reply = answers.replies().get(i).orElse(null);
      if (reply != null) {
        asked.add(runOf(jobs.get(i)));
        if (!RunningSubjobs.OVER.contains(reply.getCode())) {
          JobList.told(call, reply, jobs.get(i).getId());
        }
      }
    }
    return answers.failure();
  }

  private boolean mayEnd(Job job) {
    boolean ends = job.getStatus() == JobStatus.EXITING || job.getKilling() != KillPurpose.NONE;
    boolean awaited = !job.getSpec().getRerunnable() && way.equals(DELAY);
    return !ends && !awaited && !asked.contains(runOf(job));
  }

  private static String runOf(Job job) {
    return job.getId() + " " + job.getRun();
  }

  private static SpecificRecord command(CommandMeta meta, Job job) {
    return job.getSpec().getRerunnable()
        ? new RerunJob(meta, job.getId(), false)
        : new DeleteJob(meta, job.getId(), false, List.of(), false, false, false);
  }
}
