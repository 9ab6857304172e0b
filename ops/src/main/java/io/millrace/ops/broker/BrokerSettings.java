package io.millrace.ops.broker;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Properties;

/** Settings of the embedded broker, each with the reason why it differs from the default. */
final class BrokerSettings {

  private static final int CONNECTIONS_MIN = 256;
  private static final int CONNECTIONS_MAX = 4096;

  private BrokerSettings() {}

  /**
   * @param logins with which this process speaks to itself
   * @param durable every write reaches the disk before it is acknowledged, so that a power cut
   *     costs nothing; without it one costs what the kernel had not written yet (up to about 30 s)
   */
  static Properties of(Home home, ClusterSettings cluster, BrokerLogins logins, boolean durable) {
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", "1");
    p.put("controller.quorum.voters", "1@127.0.0.1:" + cluster.embedded().controller());
    p.put("log.dirs", home.brokerData().toString());
    listeners(p, home, cluster.embedded());
    logins(p, logins);
    small(p);
    quick(p);
    idle(p);
    strangers(p);
    if (durable) {
      p.put("log.flush.interval.messages", "1");
    }
    return p;
  }

  private static void listeners(Properties p, Home home, ClusterSettings.EmbeddedPorts ports) {
    String clients = "CLIENTS://127.0.0.1:" + ports.broker();
    String controller = "CONTROLLER://127.0.0.1:" + ports.controller();
    String map = "CLIENTS:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT";
    if (!ports.listen().isEmpty()) {
      clients += ",OUTSIDE://" + ports.listen() + ":" + ports.outside();
      map += ",OUTSIDE:SASL_SSL";
      p.put("listener.name.outside.ssl.keystore.type", "PEM");
      p.put("listener.name.outside.ssl.keystore.location", home.listenerKey().toString());
    }
    p.put("listeners", clients + "," + controller);
    p.put("advertised.listeners", clients);
    p.put("listener.security.protocol.map", map);
    p.put("inter.broker.listener.name", "CLIENTS");
    p.put("controller.listener.names", "CONTROLLER");
  }

  /** No listener takes a login in which the password is told. */
  private static void logins(Properties p, BrokerLogins logins) {
    String mechanism = ClientSettings.MECHANISM;
    for (String listener : new String[] {"clients", "controller", "outside"}) {
      String prefix = "listener.name." + listener + ".";
      p.put(prefix + mechanism.toLowerCase(Locale.ROOT) + ".sasl.jaas.config", logins.ownLogin());
      p.put(prefix + "sasl.enabled.mechanisms", mechanism);
    }
    p.put("sasl.mechanism.inter.broker.protocol", mechanism);
    p.put("sasl.mechanism.controller.protocol", mechanism);
    p.put("sasl.enabled.mechanisms", mechanism);
    p.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    p.put("super.users", "User:" + KafkaPrincipal.ADMIN.text() + ";User:" + BrokerLogins.OWN);
    p.put("allow.everyone.if.no.acl.found", "false");
  }

  /** Settings for one node on a small machine. */
  private static void small(Properties p) {
    p.put("num.network.threads", "2");
    p.put("num.io.threads", "4");
    p.put("num.recovery.threads.per.data.dir", "2");
    // Shards commit through one partition, whose work is done in order anyway; each thread looks
    // three times a second for some.
    p.put("group.coordinator.threads", "1");
    p.put("offsets.topic.num.partitions", "4");
    p.put("offsets.topic.replication.factor", "1");
    p.put("transaction.state.log.num.partitions", "4");
    p.put("transaction.state.log.replication.factor", "1");
    p.put("transaction.state.log.min.isr", "1");
    p.put("share.coordinator.state.topic.num.partitions", "1");
    p.put("share.coordinator.state.topic.replication.factor", "1");
    p.put("share.coordinator.state.topic.min.isr", "1");
    p.put("default.replication.factor", "1");
    p.put("auto.create.topics.enable", "false");
    p.put("message.max.bytes", Integer.toString(Topics.MESSAGE_BYTES_MAX));
    p.put("replica.fetch.max.bytes", Integer.toString(Topics.MESSAGE_BYTES_MAX));
    // The default buffer alone is half of the heap; this one holds 170,000 keys at a time.
    p.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
    p.put("log.index.size.max.bytes", Integer.toString(1 << 20));
    p.put("log.segment.bytes", Integer.toString(256 << 20));
  }

  /** Settings for low latency and a quick restart. */
  private static void quick(Properties p) {
    p.put("group.initial.rebalance.delay.ms", "0");
    p.put("group.min.session.timeout.ms", "1000");
    // When a session ends, every partition loses its leader, and no other broker can take over. On
    // a machine too busy for heartbeats that would happen for nothing.
    p.put("broker.session.timeout.ms", "300000");
    p.put("broker.heartbeat.interval.ms", "500");
    // A transaction that begins right after a commit waits this long for the commit's markers.
    p.put("add.partitions.to.txn.retry.backoff.ms", "1");
    p.put("add.partitions.to.txn.retry.backoff.max.ms", "2");
    // There is no other node to take over leadership.
    p.put("controlled.shutdown.enable", "false");
  }

  /** What a connection may take of which nobody knows yet whose it is. */
  private static void strangers(Properties p) {
    // Memory is taken for as much as the first four bytes announce; a login has some hundred.
    p.put("sasl.server.max.receive.size", Integer.toString(16 << 10));
    // The log needs descriptors of its own. Beyond this the listener waits until some are closed.
    p.put("max.connections", Integer.toString(connections()));
  }

  private static int connections() {
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : CONNECTIONS_MAX;
    return (int) Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, descriptors / 4));
  }

  /** What an idle broker does not do. */
  private static void idle(Properties p) {
    // Records without contents let followers of the metadata log measure how far they are behind;
    // there are none. By default two a second, each written and told to all listeners.
    p.put("metadata.max.idle.interval.ms", "0");
    // Marks below which followers have everything: without followers that is all, after a crash
    // too.
    p.put("replica.high.watermark.checkpoint.interval.ms", "60000");
    // Answered questions are kept until as many have come as this: the shards' name 40 partitions
    // each, and a thousand of them are 6 MB.
    p.put("fetch.purgatory.purge.interval.requests", "100");
    // After this time without a transaction the shards' thread would have to begin anew.
    p.put("transactional.id.expiration.ms", Integer.toString(Integer.MAX_VALUE));
  }
}
