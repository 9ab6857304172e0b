package io.millrace.connectors.local;

import static org.awaitility.Awaitility.await;

import io.millrace.connectors.local.execution.ExecutionFolder;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunMissing;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.output.StartRun;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The server's side of an executor: sends orders, and keeps all reports by shard. */
public final class FakeShards implements AutoCloseable {
  public static final int SHARD = 5;
  public static final String KEY = "0123456789abcdef".repeat(4);

  private final String host;
  private final RecordCodec codec;
  private final KafkaProducer<String, byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;
  final Map<Integer, List<SpecificRecord>> reports = new HashMap<>();

  public FakeShards(RealBroker broker, String host) throws Exception {
    this.host = host;
    this.codec = broker.codec();
    this.producer =
        new KafkaProducer<>(broker.client(), new StringSerializer(), new ByteArraySerializer());
    this.consumer =
        new KafkaConsumer<>(
            broker.client(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> all = new ArrayList<>();
    for (int shard = 0; shard < Topics.DEFAULT_SHARDS; shard++) {
      all.add(new TopicPartition(Topics.REPORTS, shard));
      reports.put(shard, new ArrayList<>());
    }
    consumer.assign(all);
    consumer.seekToBeginning(all);
  }

  /** The key that a host of this name has. */
  static HostKey key(String host) {
    return HostKey.of(host, KEY);
  }

  public void order(SpecificRecord order) {
    long timeMs = System.currentTimeMillis();
    producer.send(
        new ProducerRecord<>(
            Topics.DISPATCH,
            Topics.dispatchPartition(host),
            timeMs,
            host,
            key(host).seal(codec.encode(order), timeMs)));
  }

  /** Asks the host after the first runs of these jobs. */
  void ask(String... jobIds) {
    order(
        new AskRuns(host, SHARD, Stream.of(jobIds).map(id -> new RunName(id, 1, 0)).toList(), ""));
  }

  /** The jobs whose runs were said to be missing, once there are so many. */
  List<String> awaitMissing(int count) {
    return missing(
        awaitReports(SHARD, Duration.ofSeconds(180), all -> missing(all).size() >= count));
  }

  static List<String> missing(List<SpecificRecord> all) {
    return all.stream()
        .filter(ReportRunMissing.class::isInstance)
        .map(report -> ((ReportRunMissing) report).getJobId())
        .toList();
  }

  void flush() {
    producer.flush();
  }

  void garbage(byte[] bytes) {
    producer.send(
        new ProducerRecord<>(Topics.DISPATCH, Topics.dispatchPartition(host), host, bytes));
  }

  /** Reads on until the reports of a shard are as wanted. */
  public List<SpecificRecord> awaitReports(
      int shard, Duration patience, Predicate<List<SpecificRecord>> wanted) {
    await()
        .alias("reports in shard " + shard)
        .atMost(patience)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              for (ConsumerRecord<byte[], byte[]> r : consumer.poll(Duration.ofMillis(50))) {
                reports.get(r.partition()).add(codec.decode(r.value()));
              }
              return wanted.test(reports.get(shard));
            });
    return reports.get(shard);
  }

  public ReportRunFinished awaitEnd(String jobId) {
    awaitReports(SHARD, Duration.ofSeconds(180), all -> ends(all, jobId) != null);
    return ends(reports.get(SHARD), jobId);
  }

  private static ReportRunFinished ends(List<SpecificRecord> all, String jobId) {
    for (SpecificRecord report : all) {
      if (report instanceof ReportRunFinished end && end.getJobId().equals(jobId)) {
        return end;
      }
    }
    return null;
  }

  public StartRun start(String jobId, String script, Path output) {
    return order(host, jobId, script, output);
  }

  /** An order to the host as a shard writes it. */
  public static StartRun order(String host, String jobId, String script, Path output) {
    NodeShare share = new NodeShare("node", host, 2, Map.of("ncpus", 4L, "mem", 1L << 30));
    JobSpec spec = new JobSpec();
    spec.setName("test");
    spec.setOwner(ExecutionFolder.USER);
    spec.setGroup("");
    spec.setSubmitHost(host);
    spec.setQueue("workq");
    spec.setPriority(0);
    spec.setRerunnable(true);
    spec.setAccount("");
    spec.setProject("_pbs_project_default");
    spec.setRequest(
        new ResourceRequest(
            List.of(new Chunk(2, Map.of("ncpus", 2L), Map.of())), "", -1L, Map.of()));
    spec.setResourceList(List.of());
    spec.setOutputPath(host + ":" + output);
    spec.setErrorPath(host + ":" + output);
    spec.setJoinPath("oe");
    spec.setShell("/bin/sh");
    spec.setVariables(List.of());
    spec.setScriptHash(ByteBuffer.allocate(0));
    spec.setArgv(List.of());
    spec.setSubmitArguments("");
    spec.setExtra(List.of());
    spec.setTerminal("");
    spec.setCampaign("");
    StartRun order = new StartRun();
    order.setJobId(jobId);
    order.setRun(1);
    order.setShard(SHARD);
    order.setHost(host);
    order.setSpec(spec);
    order.setAllocation(new Allocation(List.of(share), host + "/0", "(node:ncpus=4)", null));
    order.setServer("here");
    order.setKillDelayS(1);
    order.setExecutor("");
    order.setScript(ByteBuffer.wrap(script.getBytes(StandardCharsets.UTF_8)));
    return order;
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
