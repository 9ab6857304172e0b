package io.millrace.connectors.forward.sites;

import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;

/** Another installation with real shards, behind a door that loses, repeats and delays. */
final class FarInstallation implements SiteDoor {
  private static final String PARTITION = "peast";
  private static final String SCHEDULER = "es";
  private static final int PATIENCE_MS = 11_000;

  final TestShards shards = TestShards.threePartitions();
  private final Random random;
  private final List<Runnable> late = new ArrayList<>();
  boolean faulty = true;

  FarInstallation(Random random) {
    this.random = random;
  }

  /** What was on its way arrives. */
  void deliver() {
    List<Runnable> now = new ArrayList<>(late);
    late.clear();
    now.forEach(Runnable::run);
  }

  List<Reservation> reservations() {
    List<Reservation> all = new ArrayList<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      all.addAll(ReservationCalls.all(shards.tables(i)));
    }
    return all;
  }

  @Override
  public boolean knows(String site) {
    return true;
  }

  @Override
  public SiteReply command(String site, UUID id, int seconds, List<String> words) {
    int fate = faulty ? random.nextInt(14) : -1;
    return switch (fate) {
      case 0 -> new SiteReply.Unknown("cannot connect", false, false);
      case 1 -> {
        late.add(() -> carryOut(id, words));
        yield new SiteReply.Unknown("no answer", false, false);
      }
      case 2 -> {
        carryOut(id, words);
        yield new SiteReply.Unknown("no answer", false, false);
      }
      case 3 -> {
        carryOut(id, words);
        yield new SiteReply.Unknown("not understood", random.nextBoolean(), false);
      }
      case 4 -> {
        late.add(() -> carryOut(id, words));
        yield carryOut(id, words);
      }
      case 5 -> new SiteReply.Unknown("HTTP 401, no valid credential", true, true);
      case 6 -> new SiteReply.Said(1, "", words.get(0) + ": not now, says the gateway");
      default -> carryOut(id, words);
    };
  }

  @Override
  public SiteReply look(String site, String reservation) {
    if (faulty && random.nextInt(6) == 0) {
      return new SiteReply.Unknown("no answer", random.nextBoolean(), false);
    }
    Reservation found = find(reservation);
    if (found == null) {
      return new SiteReply.Absent();
    }
    String open =
        found.getPending() == null
            ? ""
            : found.getPending().getKind().name().toLowerCase(Locale.ROOT);
    return new SiteReply.ShownThere(found.getState().name(), open, List.of());
  }

  private Reservation find(String name) {
    return reservations().stream()
        .filter(it -> it.getQueue().equals(name))
        .findFirst()
        .orElse(null);
  }

  private SiteReply carryOut(UUID id, List<String> words) {
    CommandMeta meta = shards.user("svc");
    meta.setId(
        new CommandId(
            ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array()));
    if (words.get(0).equals("plus_reserve")) {
      return reserved(meta, words);
    }
    Reservation named = find(words.get(2));
    if (named == null) {
      return new SiteReply.Said(1, "", words.get(0) + ": Unknown Reservation Id");
    }
    SpecificRecord command =
        words.get(0).equals("plus_cancel")
            ? new DeleteReservation(meta, named.getId(), false, false)
            : new SettleReservation(meta, named.getId(), words.get(0).equals("plus_commit"), false);
    Reply reply = shards.ask(shard(), command);
    return new SiteReply.Said(reply.getCode() == 0 ? 0 : 1, "", String.join(" ", reply.getLines()));
  }

  private int shard() {
    return shards.shardOfScheduler(SCHEDULER);
  }

  private SiteReply reserved(CommandMeta meta, List<String> words) {
    long startMs = Long.parseLong(words.get(words.indexOf("-s") + 1));
    long endMs = Long.parseLong(words.get(words.indexOf("-e") + 1));
    Chunk chunk = new Chunk(1, Map.of("ncpus", 3L), Map.of());
    ReservationSpec spec = ReservationCalls.spec("svc", PARTITION, startMs, endMs, "", chunk);
    shards.send(shard(), new SubmitReservation(meta, spec, -10L, true, true, false));
    shards.run();
    decide();
    Reply reply = shards.answer(meta);
    if (reply == null) {
      shards.pass(PATIENCE_MS);
      reply = shards.answer(meta);
    }
    String[] said = reply.getLines().isEmpty() ? new String[2] : reply.getLines().get(0).split(" ");
    return reply.getCode() == 0 && said[1].equals("CONFIRMED")
        ? new SiteReply.Said(0, said[0].substring(0, said[0].indexOf('.')) + "\n", "")
        : new SiteReply.Said(1, "", "plus_reserve: denied: full\n");
  }

  /** The scheduler believes that there is room, or denies. */
  private void decide() {
    for (Reservation each : reservations()) {
      if (each.getShares().isEmpty()) {
        SpecificRecord proposal =
            random.nextInt(10) == 0
                ? ReservationCalls.deny(
                    shards.engine(SCHEDULER), shards.epoch(SCHEDULER), SCHEDULER, each, "full")
                : ReservationCalls.confirm(
                    shards.engine(SCHEDULER),
                    shards.epoch(SCHEDULER),
                    SCHEDULER,
                    each,
                    List.of(Calls.share("e0", 1, 3)));
        shards.send(shard(), proposal);
      }
    }
    shards.run();
  }
}
