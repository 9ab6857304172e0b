package io.millrace.ops.faults.reservations;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.HoldPart;
import io.millrace.schemas.command.SettlePart;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.state.PartOf;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Plants a fault with an administrator's rights, when all else is over: a record that no part of
 * the installation would write. It tries whether a fault would be found, not how one comes about.
 */
final class PlantedReservationFault {
  private static final long DAY_MS = 86_400_000L;

  private final Home home;
  private final LedgerReservations book;

  PlantedReservationFault(Home home, LedgerReservations book) {
    this.home = home;
    this.book = book;
  }

  /** Returns one sentence that says what was done. */
  String plant(ReservationSabotage sabotage) throws IOException, InterruptedException {
    Reservation one =
        book.present().stream()
            .filter(it -> !it.getBooked().isEmpty() && it.getPending() == null)
            .findFirst()
            .orElseThrow(
                () -> new IOException("no reservation stays: nothing to plant a fault in"));
    return switch (sabotage) {
      case FORGET_SETTLE -> forgetSettle(one);
      case CONFIRM_TWICE -> confirmTwice();
      case DROP_PART -> dropPart();
    };
  }

  private static CommandMeta meta() {
    byte[] id =
        ByteBuffer.allocate(16)
            .putLong(System.currentTimeMillis() << 16)
            .putLong(System.nanoTime())
            .array();
    return CommandMeta.newBuilder()
        .setId(new CommandId(id))
        .setPrincipal("shard-0")
        .setHost("")
        .setRole(Role.SHARD)
        .build();
  }

  /** A part of which no coordinator knows, and that knows of none it could tell. */
  private String forgetSettle(Reservation like) throws IOException, InterruptedException {
    ReservationSpec spec = ReservationSpec.newBuilder(like.getSpec()).build();
    spec.setStartMs(spec.getStartMs() + 300 * DAY_MS);
    spec.setEndMs(spec.getEndMs() + 300 * DAY_MS);
    PartOf nobody = new PartOf("W0.nobody", 0L, -1, 0, List.of(spec.getPartition()));
    long dueMs = System.currentTimeMillis() + DAY_MS;
    send(Topics.MESSAGES, 0, new HoldPart(meta(), nobody, spec, dueMs));
    return "a part in " + spec.getPartition() + " is held and nobody settles it";
  }

  /** A part gets the nodes of another part of its whole, too: both have the same window. */
  private String confirmTwice() throws IOException, InterruptedException {
    Map<Long, Reservation> firstOf = new HashMap<>();
    for (Reservation one : book.present()) {
      boolean stays = one.getWhole() != null && one.getPending() == null;
      Reservation other = stays ? firstOf.putIfAbsent(one.getWhole().getNumber(), one) : null;
      if (other != null) {
        Reservation twice = Reservation.newBuilder(one).build();
        twice.getBooked().addAll(other.getBooked());
        FactMeta meta = new FactMeta(1L, System.currentTimeMillis(), meta().getId(), "shard-0");
        send(Topics.LEDGER, 0, new ReservationConfirmed(meta, twice, "default", 1L, false));
        return one.getQueue() + " is confirmed on the nodes of " + other.getQueue();
      }
    }
    throw new IOException("no reservation with two parts stays: nothing to plant a fault in");
  }

  private String dropPart() throws IOException, InterruptedException {
    for (ReservationWhole whole : book.wholes()) {
      for (int i = 0; i < whole.getParts().size(); i++) {
        WholePart part = whole.getParts().get(i);
        if (whole.getState() == WholeState.KEPT && part.getThere() == null) {
          SettlePart settle =
              SettlePart.newBuilder()
                  .setMeta(meta())
                  .setWhole(whole.getNumber())
                  .setPart(i)
                  .setWholeShard(-1)
                  .setReservationId(part.getReservationId())
                  .setCommit(false)
                  .setForget(false)
                  .setBy("")
                  .setWhy("planted")
                  .build();
          send(Topics.MESSAGES, part.getShard(), settle);
          return part.getReservationId() + " of " + whole.getId() + " is dropped";
        }
      }
    }
    throw new IOException("no reservation with parts stays: nothing to plant a fault in");
  }

  private void send(String topic, int shard, SpecificRecord record)
      throws IOException, InterruptedException {
    Map<String, Object> admin = ClientSettings.read(home.client(KafkaPrincipal.ADMIN));
    Map<String, Object> config = new HashMap<>(admin);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      RecordCodec codec = Codecs.open(admin);
      producer.send(new ProducerRecord<>(topic, shard, new byte[0], codec.encode(record))).get();
    } catch (ExecutionException | RegistryException e) {
      throw new IOException("the fault cannot be planted: " + e.getMessage(), e);
    }
  }
}
