package io.millrace.server.campaigns.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.broker.DroppedRecords;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The campaign server without its door: takes commands, and tells what there is. */
public final class CampaignServer implements LiveCampaigns, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CampaignServer.class);
  private static final Duration CLOSE = Duration.ofSeconds(10);
  private static final int THREADS = 1;

  /** What is changed between two commits. */
  private static final int CACHE_BYTES = 16 << 20;

  private final Map<String, Object> client;
  private final RecordCodec codec;
  private final KafkaStreams streams;
  private final KafkaProducer<byte[], byte[]> inbox;
  private final Map<CommandId, CompletableFuture<Reply>> asked = new ConcurrentHashMap<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final GrowingPause pause = new GrowingPause();
  private volatile String failure = "";
  private volatile CampaignState.Wanted wanted = CampaignState.Wanted.NOTHING;

  /**
   * @param client settings of Kafka clients
   * @param folder for what Kafka Streams keeps
   */
  public CampaignServer(Map<String, Object> client, RecordCodec codec, Path folder) {
    this.client = client;
    this.codec = codec;
    DroppedRecords dropped = new DroppedRecords();
    CommittedAnswers answers = new CommittedAnswers(this::answered);
    this.streams =
        new KafkaStreams(
            CampaignTopology.of(codec, answers, it -> wanted = it, dropped),
            properties(client, folder),
            new CampaignClients(dropped, answers));
    streams.setUncaughtExceptionHandler(this::onFailure);
    streams.setStateListener(
        (now, before) -> {
          LOG.info("campaign server is {}", now);
          if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
            ended.countDown();
            begun.countDown();
          } else if (now == KafkaStreams.State.RUNNING) {
            begun.countDown();
          }
        });
    this.inbox = producer(client);
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> client) {
    Map<String, Object> config = new HashMap<>(client);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.CAMPAIGN_BYTES_MAX);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static Properties properties(Map<String, Object> client, Path folder) {
    Properties config = new Properties();
    config.putAll(client);
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, Topics.CAMPAIGNS_APPLICATION);
    config.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, THREADS);
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 50);
    config.put(StreamsConfig.POLL_MS_CONFIG, 50);
    config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
    config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, -1);
    config.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Topics.CAMPAIGN_BYTES_MAX);
    // One that was killed is followed at once by the next, under the same name.
    config.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), "campaigns");
    config.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6000);
    config.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1500);
    return config;
  }

  /** Begins; does not wait until campaigns are served. */
  public void start() {
    FormerTransactions.end(client, Topics.CAMPAIGNS_APPLICATION);
    streams.start();
  }

  /** Whether commands are taken and questions answered. */
  public boolean running() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** What is in the way of serving, in one line; empty for nothing. */
  public String obstacle() {
    KafkaStreams.State state = streams.state();
    return switch (state) {
      case RUNNING -> "";
      case CREATED, REBALANCING -> "the campaigns are being taken over or restored";
      default -> "the campaigns of this process have ended (" + state + ")";
    };
  }

  /** Waits until campaigns are served for the first time; false when they have ended instead. */
  public boolean awaitBegin() throws InterruptedException {
    begun.await();
    return ended.getCount() > 0;
  }

  /** Waits for the end; gives what ended it, in one line, or nothing after a plain close. */
  public Optional<String> awaitEnd() throws InterruptedException {
    ended.await();
    if (failure.isEmpty()) {
      return Optional.empty();
    }
    // The last word, behind all that Kafka Streams has to say: the keeper repeats it.
    LOG.error("ended by {}", failure);
    return Optional.of(failure);
  }

  private StreamThreadExceptionResponse onFailure(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String line = root.toString().replace('\n', ' ');
    if (!PassingFailure.is(root)) {
      // Going on after a fact that cannot be applied would let the state part from the ledger.
      failure = line;
      LOG.info("the campaigns stop", cause);
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    long pauseMs = pause.next(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    LOG.warn("the thread of the campaigns is replaced in {} ms after {}", pauseMs, line);
    try {
      TimeUnit.MILLISECONDS.sleep(pauseMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  @Override
  public CompletableFuture<Reply> send(CommandId id, SpecificRecord command) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    asked.put(id, answer);
    answer.whenComplete((reply, failure) -> asked.remove(id, answer));
    write(
        id.bytes(),
        command,
        failure -> {
          if (failure != null) {
            answer.completeExceptionally(failure);
          }
        });
    return answer;
  }

  @Override
  public void note(SpecificRecord note) {
    write(
        new byte[0],
        note,
        failure -> {
          if (failure != null) {
            LOG.warn("a note was not taken by the broker: {}", failure.toString());
          }
        });
  }

  /** Told whether it failed. */
  private interface WriteListener {
    void done(Exception failure);
  }

  private void write(byte[] key, SpecificRecord record, WriteListener written) {
    try {
      inbox.send(
          new ProducerRecord<>(Topics.CAMPAIGN_COMMANDS, 0, key, codec.encode(record)),
          (metadata, failure) -> written.done(failure));
    } catch (KafkaException e) {
      written.done(e);
    }
  }

  private void answered(Reply reply) {
    CompletableFuture<Reply> answer = asked.get(reply.getId());
    if (answer != null) {
      answer.complete(reply);
    }
  }

  @Override
  public CampaignState.Wanted wanted() {
    return running() ? wanted : CampaignState.Wanted.NOTHING;
  }

  @Override
  public Optional<CampaignTable> table() {
    if (!running()) {
      return Optional.empty();
    }
    return Optional.of(
        new StreamsTable(
            streams.store(
                StoreQueryParameters.fromNameAndType(
                    CampaignProcessor.STORE, QueryableStoreTypes.keyValueStore())),
            codec));
  }

  @Override
  public void close() {
    streams.close(CLOSE);
    inbox.close(CLOSE);
    ended.countDown();
    begun.countDown();
  }
}
