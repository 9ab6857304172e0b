package io.millrace.ops.e2e;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.registry.Codecs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What an installation does in a time in which nobody asks anything of it.
 *
 * @param seconds its length
 * @param processorPercent processor time of all parts, of one processor
 * @param wakeUps how often a second one of all parts' threads that had waited went on; the same on
 *     a slow machine as on a fast one
 * @param commands commands that came, but for reports of a host's load, which others make
 * @param reports those reports
 * @param transactionRecords what the coordinator of transactions wrote
 * @param logBytes by which the parts' logs grew
 */
record IdleWindow(
    double seconds,
    double processorPercent,
    double wakeUps,
    long commands,
    long reports,
    long transactionRecords,
    long logBytes) {

  private static final String TRANSACTIONS = "__transaction_state";

  /** A shard's inbox is a topic for each family of writers. */
  private static final List<String> INBOXES =
      Stream.of(CommandFamily.values()).map(CommandFamily::topic).toList();

  private static final double TICKS_PER_S = 100;

  /** Line of a thread's status in the kernel's own folder. */
  private static final String WAITED = "voluntary_ctxt_switches:";

  /** Records of the coordinator for a transaction of one shard, at most. */
  private static final int RECORDS_OF_A_TRANSACTION = 20;

  /** Transactions of a report: each of the shards may answer, and its own host's. */
  private static final int TRANSACTIONS_OF_A_REPORT = 4;

  static IdleWindow of(Site site, Duration length) throws Exception {
    Map<TopicPartition, Long> transactions = ends(site, List.of(TRANSACTIONS));
    Map<TopicPartition, Long> inboxes = ends(site, INBOXES);
    long ticks = ticks(site);
    Map<Path, Long> waits = waits(site);
    long logged = logged(site);
    long begin = System.nanoTime();
    Polling.within(length, () -> System.nanoTime() - begin >= length.toNanos());
    double seconds = (System.nanoTime() - begin) / 1e9;
    double percent = (ticks(site) - ticks) / TICKS_PER_S / seconds * 100;
    double wakeUps = since(waits, waits(site)) / seconds;
    long grown = logged(site) - logged;
    long written = sum(ends(site, List.of(TRANSACTIONS))) - sum(transactions);
    long reports = 0;
    long others = 0;
    RecordCodec codec = Codecs.open(site.client(KafkaPrincipal.ADMIN));
    for (byte[] command : since(site, inboxes)) {
      if (codec.decode(command) instanceof ReportNodeUp) {
        reports++;
      } else {
        others++;
      }
    }
    return new IdleWindow(seconds, percent, wakeUps, others, reports, written, grown);
  }

  /** Whether no transaction was made but for reports. */
  boolean still() {
    return still(0);
  }

  /** Whether no transaction was made but for reports and as many ticks. */
  boolean still(int ticks) {
    long transactions = ticks + reports * TRANSACTIONS_OF_A_REPORT;
    return commands <= ticks && transactionRecords <= transactions * RECORDS_OF_A_TRANSACTION;
  }

  private static Map<TopicPartition, Long> ends(Site site, List<String> topics) throws Exception {
    try (Admin admin = Admin.create(site.client(KafkaPrincipal.ADMIN))) {
      Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
      for (TopicDescription topic : admin.describeTopics(topics).allTopicNames().get().values()) {
        topic
            .partitions()
            .forEach(
                it ->
                    asked.put(
                        new TopicPartition(topic.name(), it.partition()), OffsetSpec.latest()));
      }
      Map<TopicPartition, Long> ends = new HashMap<>();
      admin.listOffsets(asked).all().get().forEach((at, end) -> ends.put(at, end.offset()));
      return ends;
    }
  }

  private static long sum(Map<?, Long> ends) {
    return ends.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Records without the marks of transactions. */
  private static List<byte[]> since(Site site, Map<TopicPartition, Long> from) throws Exception {
    Map<String, Object> config = new HashMap<>(site.client(KafkaPrincipal.ADMIN));
    config.put("isolation.level", "read_committed");
    config.put("enable.auto.commit", false);
    Map<TopicPartition, Long> ends = ends(site, INBOXES);
    List<byte[]> values = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(from.keySet());
      from.forEach(consumer::seek);
      while (from.keySet().stream().anyMatch(it -> consumer.position(it) < ends.get(it))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          values.add(record.value());
        }
      }
    }
    return values;
  }

  /** Processor time of all parts, in ticks of the kernel. */
  private static long ticks(Site site) throws IOException {
    long ticks = 0;
    for (ProcessHandle part : site.processes().values()) {
      String stat = Files.readString(Path.of("/proc/" + part.pid() + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }
    return ticks;
  }

  /** Memory of all parts; pages that several have are divided among them. */
  static long memoryMiB(Site site) throws IOException {
    long kib = 0;
    for (ProcessHandle part : site.processes().values()) {
      try (Stream<String> lines = Files.lines(Path.of("/proc/" + part.pid() + "/smaps_rollup"))) {
        kib +=
            lines
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
      }
    }
    return kib >> 10;
  }

  /** How often each thread of all parts has waited; one that ends meanwhile is left out. */
  private static Map<Path, Long> waits(Site site) throws IOException {
    Map<Path, Long> waits = new HashMap<>();
    for (ProcessHandle part : site.processes().values()) {
      try (Stream<Path> threads = Files.list(Path.of("/proc/" + part.pid() + "/task"))) {
        for (Path thread : threads.toList()) {
          try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
            lines
                .filter(line -> line.startsWith(WAITED))
                .forEach(
                    line ->
                        waits.put(thread, Long.parseLong(line.substring(WAITED.length()).strip())));
          } catch (NoSuchFileException | UncheckedIOException e) {
            waits.remove(thread);
          }
        }
      }
    }
    return waits;
  }

  private static double since(Map<Path, Long> before, Map<Path, Long> now) {
    return now.entrySet().stream()
        .mapToLong(it -> it.getValue() - before.getOrDefault(it.getKey(), 0L))
        .sum();
  }

  private static long logged(Site site) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(site.home().root().resolve("log"))) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
