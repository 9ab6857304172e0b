package io.millrace.server.core.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A cluster whose default scheduler has two nodes of 4 cpus, n0 and n1, and what is done to it. */
final class Reserving {
  static final long HOUR_MS = 3_600_000;
  static final String DEFAULT = "pbs-default";

  final TestShards shards = TestShards.threePartitions();
  final long beginMs;

  Reserving() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1");
    shards.nodeUp("n1", 4);
    beginMs = shards.nowMs;
  }

  static Chunk chunk(int count, long ncpus) {
    return new Chunk(count, Map.of("ncpus", ncpus), Map.of());
  }

  /** A window in hours from the beginning of the test. */
  ReservationSpec spec(
      String owner, double fromHour, double toHour, String place, Chunk... chunks) {
    return ReservationCalls.spec(
        owner,
        DEFAULT,
        beginMs + (long) (fromHour * HOUR_MS),
        beginMs + (long) (toHour * HOUR_MS),
        place,
        chunks);
  }

  SubmitReservation submission(ReservationSpec spec, long interactive) {
    return ReservationCalls.submit(shards.user(spec.getOwner()), spec, interactive);
  }

  /** The code of a submission. */
  int submitted(ReservationSpec spec) {
    return shards.ask(0, submission(spec, 0)).getCode();
  }

  /** Its id. */
  String submit(ReservationSpec spec) {
    Reply reply = shards.ask(0, submission(spec, 0));
    assertEquals(0, reply.getCode(), reply::toString);
    return reply.getLines().get(0).split(" ")[0];
  }

  Reservation find(String id) {
    return ReservationCalls.all(shards.tables(0)).stream()
        .filter(it -> it.getId().equals(id) || it.getQueue().equals(id))
        .findFirst()
        .orElse(null);
  }

  int confirm(String id, NodeShare... shares) {
    return shards
        .ask(
            0,
            ReservationCalls.confirm(
                shards.engine("default"),
                shards.epoch("default"),
                "default",
                find(id),
                List.of(shares)))
        .getCode();
  }

  int deny(String id) {
    return shards
        .ask(
            0,
            ReservationCalls.deny(
                shards.engine("default"), shards.epoch("default"), "default", find(id), "full"))
        .getCode();
  }

  /** A reservation of one chunk on a node. */
  String reserved(String owner, double fromHour, double toHour, String node, long ncpus) {
    String id = submit(spec(owner, fromHour, toHour, "", chunk(1, ncpus)));
    assertEquals(0, confirm(id, Calls.share(node, 1, ncpus)));
    return id;
  }

  static String queue(String id) {
    return id.substring(0, id.indexOf('.'));
  }

  /** A job of one chunk; hours of walltime, 0 for none. */
  static NewJob job(String owner, String queue, long ncpus, double hours) {
    ResourceRequest request = Calls.request("", chunk(1, ncpus));
    if (hours > 0) {
      request.setWalltimeS((long) (hours * 3600));
    }
    return Calls.job(owner, queue, request);
  }

  /** The code of a proposal to run a job. */
  int run(String job, String node, long ncpus) {
    return shards.grant(job, "default", node, ncpus).getCode();
  }

  int queued(NewJob job) {
    CommandMeta meta = shards.user(job.getSpec().getOwner());
    return shards.ask(0, Calls.submit(meta, List.of(), job)).getCode();
  }

  /** Lets the time come to an hour from the beginning. */
  void toHour(double hour) {
    shards.pass(beginMs + (long) (hour * HOUR_MS) - shards.nowMs);
  }

  List<NodeBooking> bookings() {
    List<NodeBooking> all = new ArrayList<>();
    shards.tables(0).bookings().each(all::add);
    return all;
  }

  static String key(Reservation reservation) {
    return Keys.number(reservation.getNumber());
  }
}
