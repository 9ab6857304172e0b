package io.millrace.ops.e2e;

import io.millrace.ops.home.ClientSettings;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunMissing;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostProof;
import io.millrace.schemas.output.HostBeat;
import io.millrace.schemas.registry.Codecs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A process of its own that does what somebody can do who has all of a host: its keys and its
 * network. Arguments: the host's settings, its name, the name of another host, a job whose run is
 * there, and words of that job. Prints a line for each thing that it tried.
 */
final class HostileHost {
  private static final int SHARDS = 2;

  private final Map<String, Object> kafka;
  private final HostKey own;
  private final RecordCodec codec;
  private long made;

  private HostileHost(Path settings, String host) throws Exception {
    kafka = ClientSettings.read(settings);
    own = HostKey.of(host, kafka.remove(HostKey.PROPERTY).toString());
    kafka.put("enable.idempotence", false);
    codec = Codecs.open(kafka);
  }

  public static void main(String[] args) throws Exception {
    HostileHost host = new HostileHost(Path.of(args[0]), args[1]);
    host.speak(args[2], args[3]);
    host.listen(args[2], List.of(args).subList(4, args.length));
    host.lookAround();
  }

  private CommandMeta meta(String host) {
    long number = ProcessHandle.current().pid() << 20 | made++;
    byte[] id =
        ByteBuffer.allocate(16).putLong(System.currentTimeMillis() << 16).putLong(number).array();
    return new CommandMeta(new CommandId(id), "executor", "", host, Role.EXECUTOR, -1, 0L);
  }

  private List<SpecificRecord> reports(String names, String job) {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    Usage used = Usage.newBuilder().build();
    return List.of(
        new ReportRunStarted(meta(names), job, 1, names, 1L, 1L, 0),
        new ReportRunFinished(meta(names), job, 1, names, 0, used, 1L, 2L, "", 0, nothing, nothing),
        new ReportRunMissing(meta(names), job, 1, names, 0));
  }

  /** Says that the run is over, and that it is the other host itself. */
  private void speak(String other, String job) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int shard = 0; shard < SHARDS; shard++) {
        for (SpecificRecord report : reports(own.host(), job)) {
          send(producer, "own", shard, report);
        }
        SpecificRecord up =
            new ReportNodeUp(
                meta(other), other, "boot", Map.of("ncpus", 1L), "robber", 1L, true, 2);
        for (SpecificRecord report :
            Stream.concat(reports(other, job).stream(), Stream.of(up)).toList()) {
          send(producer, "other", shard, report);
        }
        for (SpecificRecord report : reports(other, job)) {
          byte[] value = codec.encode(report);
          producer.send(new ProducerRecord<>(Topics.REPORTS, shard, new byte[0], value)).get();
          System.out.println("sent unproven " + id(report));
        }
      }
      byte[] beat = codec.encode(new HostBeat(other, "robber", List.of()));
      producer.send(HostProof.record(own, Topics.HEARTBEATS, 0, null, beat)).get();
    }
  }

  private void send(
      KafkaProducer<byte[], byte[]> producer, String kind, int shard, SpecificRecord report)
      throws Exception {
    byte[] value = codec.encode(report);
    producer.send(HostProof.record(own, Topics.REPORTS, shard, new byte[0], value)).get();
    System.out.println("sent " + kind + " " + id(report));
  }

  private static String id(SpecificRecord report) {
    return HexFormat.of().formatHex(((CommandMeta) report.get(0)).getId().bytes());
  }

  /** Reads all orders that the broker gives it. */
  private void listen(String other, List<String> words) {
    int others = 0;
    int told = 0;
    int opened = 0;
    int mine = 0;
    for (ConsumerRecord<byte[], byte[]> order : TopicContents.records(kafka, Topics.DISPATCH)) {
      String text = new String(order.value(), StandardCharsets.ISO_8859_1);
      told += words.stream().anyMatch(text::contains) ? 1 : 0;
      String host = new String(order.key(), StandardCharsets.UTF_8);
      others += host.equals(other) ? 1 : 0;
      boolean open = opens(order);
      opened += open && host.equals(other) ? 1 : 0;
      mine += open && host.equals(own.host()) ? 1 : 0;
    }
    System.out.println("orders others=" + others + " opened=" + opened + " told=" + told);
    System.out.println("mine " + (mine > 0));
  }

  private boolean opens(ConsumerRecord<byte[], byte[]> order) {
    try {
      codec.decode(own.open(order.value(), order.timestamp()));
      return true;
    } catch (UndecodableRecord e) {
      return false;
    }
  }

  private void lookAround() {
    Stream<String> inboxes = Stream.of(CommandFamily.values()).map(CommandFamily::topic);
    Stream<String> more =
        Stream.of(Topics.LEDGER, Topics.REPLIES, Topics.HEARTBEATS, Topics.table("jobs"));
    for (String topic : Stream.concat(inboxes, more).toList()) {
      try (KafkaConsumer<byte[], byte[]> consumer =
          new KafkaConsumer<>(kafka, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        consumer.seek(new TopicPartition(topic, 0), 0);
        consumer.poll(Duration.ofSeconds(20));
        System.out.println("read " + topic);
      } catch (TopicAuthorizationException e) {
        System.out.println("refused " + topic);
      }
    }
  }
}
