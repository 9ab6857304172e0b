package io.millrace.server.gateway.request;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.Destinations;
import io.millrace.server.gateway.query.QueryException;
import java.util.OptionalInt;

/**
 * The queue to which a job is submitted.
 *
 * @param name of the queue
 * @param shard in which its jobs live
 */
public record SubmitQueue(String name, int shard) {

  /**
   * The queue of option -q, else the server's default queue.
   *
   * @throws Failure when there is no such queue, or no default one
   */
  public static SubmitQueue of(Call call, JobOptions jobOptions)
      throws Failure, LinkException, QueryException, InterruptedException {
    String given = jobOptions.get('q', "");
    if (!Destinations.legal(given)) {
      throw call.failure("illegally formed destination: " + given, 2);
    }
    String name = given.isEmpty() ? "" : Destinations.queue(call, given);
    if (name.isEmpty()) {
      name = call.site().serverAttribute("default_queue").orElse("");
      if (name.isEmpty()) {
        throw call.failure(PbsError.NO_DEFAULT_QUEUE);
      }
    }
    if (ReservationIds.isReserved(name)) {
      return ofReservation(call, name);
    }
    ClusterObject queue = call.site().find(ObjectKind.QUEUE, name).orElse(null);
    if (queue == null) {
      throw call.failure(PbsError.UNKNOWN_QUEUE);
    }
    return new SubmitQueue(name, call.site().shardOf(queue));
  }

  /**
   * The shard that gave the reservation's number knows whether there is one of exactly this name.
   */
  private static SubmitQueue ofReservation(Call call, String name)
      throws Failure, QueryException, InterruptedException {
    long number = ReservationIds.number(name);
    OptionalInt shard = number < 0 ? OptionalInt.empty() : call.site().queries().birth(number);
    return new SubmitQueue(name, shard.orElseThrow(() -> call.failure(PbsError.UNKNOWN_QUEUE)));
  }
}
