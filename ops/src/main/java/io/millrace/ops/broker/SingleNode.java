package io.millrace.ops.broker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * The only controller and the only broker of a cluster, in one process.
 *
 * <p>The controller starts first and unregisters the broker's earlier session before the broker
 * starts. Otherwise the broker starts with old metadata, in which it leads every partition, and
 * completes the transactions that were being committed; when the old session then ends, all
 * partitions are without a leader for a while, and the transaction coordinator of Kafka 4.1 to 4.3
 * takes partitions without a leader for deleted ones (KAFKA-20734): it writes that the transaction
 * is complete although no partition got its marker, and readers of committed records wait for ever.
 * It also saves waiting for the end of the old session.
 */
final class SingleNode {

  private static final Logger LOG = LoggerFactory.getLogger(SingleNode.class);
  private static final int CONTROLLER_ACTIVE_MS = 60_000;
  private static final int RETRY_MS = 20;
  private static final int LOGINS_RETRY_MS = 2;

  private final NodeConfig config;
  private final BrokerLogins logins;
  private final ControllerServer controller;
  private final BrokerServer broker;
  private volatile UnprovenConnections strangers;

  SingleNode(NodeConfig config, BrokerLogins logins, Time time) {
    this.config = config;
    this.logins = logins;
    Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> folders =
        KafkaRaftServer.initializeLogDirs(config, LOG, "");
    String cluster = folders._1().clusterId().orElseThrow();
    QuietMeters.in(KafkaYammerMetrics.defaultRegistry());
    RequestSamples.register();
    Metrics metrics = Server.initializeMetrics(config, time, cluster);
    Map<Integer, InetSocketAddress> voters =
        QuorumConfig.parseVoterConnections(config.quorumConfig().voters());
    SharedServer shared =
        new SharedServer(
            config,
            folders._1(),
            time,
            metrics,
            CompletableFuture.completedFuture(voters),
            QuorumConfig.parseBootstrapServers(config.quorumConfig().bootstrapServers()),
            new StandardFaultHandlerFactory(),
            ServerSocketFactory.INSTANCE) {
          /** Otherwise a copy of the settings, which knows nothing of ours. */
          @Override
          public KafkaConfig brokerConfig() {
            return config;
          }
        };
    this.controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), folders._2());
    this.broker = new BrokerServer(shared);
  }

  /**
   * Starts controller and broker; returns when the broker serves.
   *
   * @throws IOException when the controller does not become active
   */
  void startup() throws IOException, InterruptedException {
    controller.startup();
    forgetEarlierLife();
    adoptLogins();
    broker.startup();
    LocalAddPartitions.in(broker);
    config.serving();
    strangers =
        new UnprovenConnections(
            List.of(broker.socketServer(), controller.socketServer()),
            config.getInt("max.connections"));
    strangers.begin();
  }

  /** The settings as the broker reads them. */
  KafkaConfig ofBroker() {
    return broker.config();
  }

  /** The settings as the controller reads them. */
  KafkaConfig ofController() {
    return controller.config();
  }

  void shutdown() {
    if (strangers != null) {
      strangers.close();
    }
    broker.shutdown();
    controller.shutdown();
  }

  void awaitShutdown() {
    broker.awaitShutdown();
    controller.awaitShutdown();
  }

  /**
   * Makes the passwords of the home's files those of the cluster, whatever it knew before, and
   * waits until the controller's listener knows them: the broker is the first that logs in there.
   */
  private void adoptLogins() throws IOException, InterruptedException {
    ControllerRequestContext context =
        new ControllerRequestContext(
            new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.empty());
    try {
      logins.check(
          controller.controller().alterUserScramCredentials(context, logins.request()).get());
    } catch (ExecutionException e) {
      throw new IOException("the passwords of the home cannot be adopted", e.getCause());
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONTROLLER_ACTIVE_MS);
    while (!logins.areKnown(controller.credentialProvider().credentialCache)) {
      if (System.nanoTime() > deadline) {
        throw new IOException("passwords are unknown after " + CONTROLLER_ACTIVE_MS + " ms");
      }
      TimeUnit.MILLISECONDS.sleep(LOGINS_RETRY_MS);
    }
  }

  private void forgetEarlierLife() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONTROLLER_ACTIVE_MS);
    while (!unregistered(deadline)) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the controller is not active after " + CONTROLLER_ACTIVE_MS + " ms");
      }
      TimeUnit.MILLISECONDS.sleep(RETRY_MS);
    }
  }

  /** Unregisters the broker; false while the controller is not active yet. */
  private boolean unregistered(long deadline) throws IOException, InterruptedException {
    ControllerRequestContext context =
        new ControllerRequestContext(
            new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.of(deadline));
    try {
      controller.controller().unregisterBroker(context, config.nodeId()).get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof BrokerIdNotRegisteredException) {
        return true;
      }
      if (e.getCause() instanceof NotControllerException) {
        return false;
      }
      throw new IOException("the broker's earlier life cannot be forgotten", e.getCause());
    }
  }
}
