package io.millrace.server.gateway.reservation;

import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks one scheduler after another for a reservation of no partition in particular: first that of
 * the nodes without one. Nobody is asked before all others have denied it, so that one confirms at
 * most. Whoever has not decided in time keeps it, as it would if there were no other.
 */
final class AskedInTurn {

  /** How long each scheduler has where the user does not wait himself. */
  private static final long PATIENCE_S = 10;

  private static final String DENIED = "DENIED";
  private static final String CONFIRMED = "CONFIRMED";
  private static final String UNCONFIRMED = "UNCONFIRMED";

  private final Call call;
  private final ReservationSpec spec;

  /** Seconds of -I; 0 without it. */
  private final long seconds;

  private final long began;

  AskedInTurn(Call call, ReservationSpec spec, long seconds) {
    this.call = call;
    this.spec = spec;
    this.seconds = seconds;
    this.began = call.site().clock().millis();
  }

  /** What the first says that does not deny it, or the last one. */
  Reply ask() throws Failure, LinkException, InterruptedException {
    List<String> partitions = partitions();
    int last = partitions.size() - 1;
    // Who waits for room until it is withdrawn waits where he would have waited alone.
    boolean stays = seconds < 0 && last > 0;
    for (int i = 0; i < (stays ? last + 1 : last); i++) {
      long patience = seconds == 0 ? PATIENCE_S : left();
      Reply reply = send(partitions.get(i), patience, true);
      if (!isDenied(reply)) {
        return asAsked(reply);
      }
    }
    return send(partitions.get(stays ? 0 : last), left(), false);
  }

  /** Seconds that are left of -I, at least one; 0 without it. */
  private long left() {
    long gone = TimeUnit.MILLISECONDS.toSeconds(call.site().clock().millis() - began);
    return Long.signum(seconds)
        * Math.max(Math.min(1, Math.abs(seconds)), Math.abs(seconds) - gone);
  }

  private Reply send(String partition, long patience, boolean atOnce)
      throws Failure, LinkException, InterruptedException {
    ReservationSpec there = ReservationSpec.newBuilder(spec).setPartition(partition).build();
    CommandMeta meta = call.meta();
    SubmitReservation command =
        new SubmitReservation(meta, there, patience, atOnce, false, seconds == 0 && patience > 0);
    return AwaitedReply.of(call, Rsub.shard(call, partition), meta, command, patience);
  }

  private static boolean isDenied(Reply reply) {
    List<String> lines = reply.getLines();
    return reply.getCode() == 0 && !lines.isEmpty() && lines.get(0).endsWith(" " + DENIED);
  }

  /** Who does not wait is told that it is taken down; what becomes of it he sees later. */
  private Reply asAsked(Reply reply) {
    if (seconds == 0 && reply.getCode() == 0) {
      List<String> lines = new ArrayList<>(reply.getLines());
      lines.replaceAll(it -> it.replaceFirst(" " + CONFIRMED + "$", " " + UNCONFIRMED));
      reply.setLines(lines);
    }
    return reply;
  }

  /** That of the nodes without one, and then the others; if nobody schedules, the first alone. */
  private List<String> partitions() {
    List<String> asked = new ArrayList<>();
    for (ClusterObject partition : call.site().cluster().all(ObjectKind.PARTITION)) {
      boolean first = partition.getName().equals(Site.DEFAULT_PARTITION);
      if (schedules(partition)) {
        asked.add(first ? 0 : asked.size(), partition.getName());
      }
    }
    return asked.isEmpty() ? List.of(Site.DEFAULT_PARTITION) : asked;
  }

  private boolean schedules(ClusterObject partition) {
    return ClusterView.attribute(partition, "scheduler")
        .flatMap(it -> call.site().cluster().find(ObjectKind.SCHEDULER, it))
        .filter(it -> ClusterView.attribute(it, "scheduling").orElse("True").equals("True"))
        .isPresent();
  }
}
