package io.millrace.server.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.engine.EngineFactory;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.hostkey.HostKeys;
import io.millrace.server.core.cluster.Initialise;
import io.millrace.server.core.decision.Message;
import io.millrace.server.streams.answer.HeldAnswers;
import io.millrace.server.streams.answer.LocalLines;
import io.millrace.server.streams.engine.EnginesAtWork;
import io.millrace.server.streams.group.ShardAssignor;
import io.millrace.server.streams.group.ShardGroup;
import io.millrace.server.streams.input.BesideShards;
import io.millrace.server.streams.measure.StreamsMeasures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shards of one process: Kafka Streams, the query endpoint, and the writer of ticks. */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final Duration CLOSE = Duration.ofSeconds(10);

  /** Within it the shards' thread commits what it has begun; it may be busy or starting. */
  private static final Duration LEAVE = Duration.ofSeconds(4);

  /** A backstop: the processor asks for a commit when its inbox is drained. */
  private static final int COMMIT_MS = 50;

  /**
   * The producer's linger: records wait for the commit, which flushes them together. Sent earlier
   * they reach the broker in several requests, and each request that adds partitions to the
   * transaction waits while the coordinator handles the one before. Nobody reads them before the
   * commit.
   */
  private static final int GATHER_MS = COMMIT_MS + 10;

  /** Producer batch size: a transaction under load is sent to a partition in a few batches. */
  private static final int BATCH_BYTES = 256 << 10;

  /** After an idle hour the next job must not wait until each topic's metadata is fetched again. */
  private static final int METADATA_IDLE_MS = 86_400_000;

  /** A server hears of the shards that it takes over with its next heartbeat, in its next poll. */
  private static final int HEARTBEAT_SHARED_MS = 100;

  private static final int HEARTBEAT_ALONE_MS = 1500;

  /**
   * A broker answers nothing else on a connection while it holds a question for records: a server
   * that takes over shards cannot ask for their commands before, and asks twice before it knows
   * them. Nor can it ask how far its copies are.
   */
  private static final int FETCH_SHARED_MS = 100;

  /** About as long as three brokers take to write the marks of a transaction and their copies. */
  private static final Duration MARKS = Duration.ofMillis(4);

  private final LocalLines lines;
  private final OwnedShards owned;
  private final TickWriter waker;
  private final Heartbeats heartbeats;
  private final ShardClients clients;
  private final KafkaStreams streams;
  private final QueryServer queries;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ShardGroup group;

  /** Done when no earlier process of this server's name is a member of the group. */
  private final CompletableFuture<Void> alone;

  private final ThreadReplacement replacements = new ThreadReplacement();
  private volatile Throwable failure;

  /**
   * @param shards number of all shards, fixed when the cluster was initialised
   * @param beside what works beside the shards
   * @param keys of the hosts that may have executors
   * @param refusals the audit log: takes a line for each command that its family or host may not
   *     send
   */
  public Server(
      ServerSettings settings,
      RecordCodec codec,
      int shards,
      BesideShards beside,
      HostKeys keys,
      Consumer<String> refusals)
      throws IOException {
    lines = LocalLines.beside(settings.queries().socket(), settings.queryToken());
    owned = new OwnedShards(new HeldAnswers(lines));
    PolledBatches polled = new PolledBatches();
    waker = new TickWriter(producer(settings), codec);
    heartbeats = new Heartbeats(settings.client(), codec, settings.instance(), keys, refusals);
    Optional<EnginesAtWork> engines = beside.engines().map(EnginesAtWork::new);
    ShardEnvironment environment =
        new ShardEnvironment(
            codec,
            shards,
            new BesideShards(engines.map(EngineFactory.class::cast), beside.programs()),
            new ShardEnvironment.Outside(
                waker::wake,
                heartbeats.heard(),
                heartbeats.engines(settings.enginesApart()),
                heartbeats.usages(),
                keys,
                refusals),
            polled,
            owned);
    group = new ShardGroup(settings.client());
    alone = alone(settings);
    clients = clients(settings);
    streams =
        new KafkaStreams(ShardTopology.of(environment), properties(settings, polled), clients);
    streams.setUncaughtExceptionHandler(this::onFailure);
    streams.setStateListener(
        (now, before) -> {
          LOG.info("server is {}", now);
          if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
            ended.countDown();
          }
        });
    StreamsMeasures.answer(Measures.ofProcess(), streams::metrics, heartbeats::executors);
    StoreReader reader = new StoreReader(streams, codec);
    queries =
        new QueryServer(
            settings,
            new StoreQueries(
                owned,
                reader,
                heartbeats.usages(),
                name -> engines.map(it -> it.inCycle(name)).orElse(false)));
    owned.answersAt(queries.address());
  }

  private ShardClients clients(ServerSettings settings) {
    return new ShardClients(
        owned,
        group::endOrphansSoon,
        settings.standby()
            ? Duration.ofMillis(HEARTBEAT_SHARED_MS)
            : ShardClients.PollPatience.IDLE_POLL,
        settings.standby() ? MARKS : Duration.ZERO,
        () -> group.leave(settings.instance()));
  }

  private CompletableFuture<Void> alone(ServerSettings settings) {
    return settings.standby()
        ? group.endPredecessor(settings.instance())
        : CompletableFuture.completedFuture(null);
  }

  private static Map<String, Object> producer(ServerSettings settings) {
    Map<String, Object> config = new HashMap<>(settings.client());
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 100);
    config.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_IDLE_MS);
    config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return config;
  }

  private static Properties properties(ServerSettings settings, PolledBatches polled) {
    Properties config = new Properties();
    config.putAll(settings.client());
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, Topics.APPLICATION);
    config.put(StreamsConfig.STATE_DIR_CONFIG, settings.stateDirectory().toString());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_MS);
    config.put(StreamsConfig.POLL_MS_CONFIG, 50);
    // Records of the inboxes' topics are taken in the order of their time, also those that came
    // while no server was there: what the broker is known to have is waited for, nothing else.
    config.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, 0);
    config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, -1);
    config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocks.class);
    config.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), GATHER_MS);
    config.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), BATCH_BYTES);
    config.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 2);
    config.put(
        StreamsConfig.producerPrefix(ProducerConfig.METADATA_MAX_IDLE_CONFIG), METADATA_IDLE_MS);
    config.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Topics.MESSAGE_BYTES_MAX);
    config.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
        settings.instance());
    config.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG),
        PolledBatches.Interceptor.class.getName());
    config.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6000);
    config.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
        settings.standby() ? HEARTBEAT_SHARED_MS : HEARTBEAT_ALONE_MS);
    if (settings.standby()) {
      config.put(
          StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG),
          FETCH_SHARED_MS);
      config.put(
          StreamsConfig.restoreConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG),
          FETCH_SHARED_MS);
    }
    config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.standby() ? 1 : 0);
    config.put(StreamsConfig.TASK_ASSIGNOR_CLASS_CONFIG, ShardAssignor.class.getName());
    config.put(ShardAssignor.CONFIG, new ShardAssignor.LastMembers());
    config.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 500);
    config.put(PolledBatches.CONFIG, polled);
    return config;
  }

  /** Starts to take over shards; returns when the brokers know of no earlier process. */
  public void start() {
    heartbeats.start();
    alone.join();
    streams.start();
  }

  /** True when every shard that this process holds is ready; others may have them all. */
  public boolean running() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** What is in the way of serving, in one line; empty for nothing. */
  public String obstacle() {
    KafkaStreams.State state = streams.state();
    return switch (state) {
      case RUNNING -> ""; // also when other servers have all shards: it takes over theirs
      case CREATED, REBALANCING -> "shards are being taken over or restored";
      default -> "the shards of this process have ended (" + state + ")";
    };
  }

  /** Where queries are answered, host:port. */
  public String queryAddress() {
    return queries.address();
  }

  /** Waits until the shards have ended; returns what ended them, empty after a plain close. */
  public Optional<Throwable> awaitEnd() throws InterruptedException {
    ended.await();
    return Optional.ofNullable(failure);
  }

  /**
   * Asks the administrative shard for the first objects; when they exist, only the home is noted.
   *
   * @param home folder below which those of the schedulers are
   */
  public void initialise(String serverName, String managers, Path home) {
    String cursor = serverName + ";" + managers + ";" + home;
    waker.send(
        new Message(
            Topics.ADMINISTRATIVE_SHARD, new Continue(TickWriter.meta(), Initialise.WORK, cursor)));
  }

  private StreamThreadExceptionResponse onFailure(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    boolean kafka = root instanceof org.apache.kafka.common.KafkaException;
    // A store that met a full disk refuses all writes until it is opened again.
    boolean disk = root instanceof RocksDBException || root instanceof IOException;
    if (kafka || disk || root == cause && cause instanceof StreamsException) {
      OptionalLong pauseMs = replacements.pauseMs(root, System.currentTimeMillis());
      if (pauseMs.isPresent()) {
        LOG.warn("the shards' thread is replaced after {}", root.toString());
        Measures.ofProcess().count(Metric.THREADS_REPLACED);
        return replaceAfter(pauseMs.getAsLong());
      }
      LOG.error(
          "the shards' thread failed more than {} times in {} minutes",
          ThreadReplacement.LASTING_MAX,
          ThreadReplacement.WINDOW_MS / 60_000);
    }
    // Going on after a fact that cannot be applied would let the state part from the ledger.
    LOG.error("the shards of this process stop", cause);
    failure = cause;
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private static StreamThreadExceptionResponse replaceAfter(long pauseMs) {
    try {
      Thread.sleep(pauseMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /** Ends it; where there are other servers they take its shards over at once. */
  @Override
  public void close() {
    // Beside the leaving: requests that are carried out may take a moment.
    CompletableFuture<Void> silent = CompletableFuture.runAsync(queries::close);
    boolean others = group.hasOthers();
    if (others && streams.state().isRunningOrRebalancing()) {
      leave();
    }
    silent.join();
    streams.close(
        CloseOptions.timeout(CLOSE)
            .withGroupMembershipOperation(
                others
                    ? CloseOptions.GroupMembershipOperation.LEAVE_GROUP
                    : CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));
    lines.close();
    group.close();
    waker.close();
    heartbeats.close();
    ended.countDown();
  }

  private void leave() {
    try {
      if (!clients.end().ask(LEAVE)) {
        LOG.warn("the shards' thread does not leave: they go over when they are closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
