package io.millrace.server.gateway.reservation;

import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.Destinations;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The jobs that wait in the queue of a reservation, moved to another queue before the reservation
 * is deleted.
 */
final class WaitingJobsMove {

  private final Call call;
  private final String queue;
  private final int shard;

  private WaitingJobsMove(Call call, String queue, int shard) {
    this.call = call;
    this.queue = queue;
    this.shard = shard;
  }

  /**
   * Looks at the destination before any job is moved.
   *
   * @throws Failure when there is no such queue
   */
  static WaitingJobsMove to(Call call, String destination)
      throws Failure, LinkException, QueryException, InterruptedException {
    if (!Destinations.legal(destination)) {
      throw call.failure("illegally formed destination: " + destination, 2);
    }
    String queue = Destinations.queue(call, destination);
    int shard = Destinations.reservingShard(call, queue);
    if (shard < 0 && call.site().find(ObjectKind.QUEUE, queue).isEmpty()) {
      throw call.failure(PbsError.UNKNOWN_QUEUE);
    }
    return new WaitingJobsMove(call, queue, shard);
  }

  /**
   * Moves the jobs of a reservation that the caller may delete; for any other the shard has the
   * answer.
   *
   * @return 0, or the exit status of a refusal, after which the reservation is not to be deleted
   */
  int from(String id) throws LinkException, QueryException, InterruptedException {
    Optional<Reservation> found =
        call.site()
            .queries()
            .reservation(ReservationNames.number(id))
            .filter(it -> it.getId().equals(id));
    if (found.isEmpty() || !mayDelete(found.get())) {
      return 0;
    }
    String from = id.substring(0, id.indexOf('.'));
    if (from.equals(queue)) {
      call.complain("jobs cannot be moved to the queue that is deleted " + id);
      return PbsError.INVALID_REQUEST.exitStatus();
    }
    List<Job> waiting = waiting(from);
    Call.CommandAnswers answers = call.sendAll(commands(waiting));
    if (answers.failure().isPresent()) {
      throw answers.failure().get();
    }
    int status = 0;
    for (int i = 0; i < waiting.size(); i++) {
      Reply reply = answers.replies().get(i).orElseThrow();
      if (reply.getCode() != PbsError.BAD_STATE.code()) {
        int result = JobList.told(call, reply, waiting.get(i).getId());
        status = result == 0 ? status : result;
      } // else it has begun meanwhile, and is deleted as those are that run
    }
    return status;
  }

  private boolean mayDelete(Reservation reservation) {
    ReservationSpec spec = reservation.getSpec();
    boolean owner = spec.getOwner().equals(call.invocation().user());
    return owner && spec.getMaintained().isEmpty() || call.role() != Role.USER;
  }

  private List<Job> waiting(String from) throws QueryException, InterruptedException {
    List<Job> waiting = new ArrayList<>();
    call.site()
        .queries()
        .jobs(
            JobFilter.all(false, call.invocation().user()).inQueue(from),
            job -> {
              boolean begun = job.getArray() != null && job.getStartedMs() >= 0;
              boolean waits =
                  job.getStatus() == JobStatus.QUEUED || job.getStatus() == JobStatus.HELD;
              if (waits && !begun) {
                waiting.add(job);
              }
              return true;
            });
    return waiting;
  }

  /** Each with its job's id for its part, since a repetition no longer finds those that left. */
  private List<Call.Addressed> commands(List<Job> jobs)
      throws QueryException, InterruptedException {
    List<Call.Addressed> commands = new ArrayList<>();
    for (Job job : jobs) {
      String id = job.getId();
      int birth =
          call.site()
              .queries()
              .birth(job.getNumber())
              .orElseThrow(() -> new QueryException("no shard has given the number of " + id));
      commands.add(
          new Call.Addressed(birth, "move " + id, meta -> new MoveJob(meta, id, queue, shard)));
    }
    return commands;
  }
}
