package io.millrace.ops.broker.trial;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.keys.ListenerCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * Settings and folders of brokers that are controllers too. Clients come in with TLS and SCRAM; the
 * brokers prove themselves to each other by their certificates. (Controllers know no passwords of
 * SCRAM before they have a leader.)
 */
public final class TrialBrokers {

  private static final int CLIENTS = 9092;
  private static final int CONTROLLER = 9093;
  private static final int BROKERS = 9094;

  /**
   * Settings with which what is lost is missed soon, as docs/kafka.md has them. On a machine whose
   * processors are busy for seconds, brokers that live would be missed too.
   */
  public static final Map<String, String> SHORT_GAPS =
      Map.of(
          "broker.session.timeout.ms", "2000",
          "broker.heartbeat.interval.ms", "400",
          "controller.quorum.fetch.timeout.ms", "1000",
          "controller.quorum.election.timeout.ms", "500",
          "controller.quorum.election.backoff.max.ms", "500");

  private final Path root;
  private final Map<String, String> addresses;
  private final Map<String, String> more;
  private final List<String> hosts;
  private final String clusterId = Uuid.randomUuid().toString();
  private final String adminPassword = ClientSettings.newPassword(new SecureRandom());

  /**
   * @param root folder below which each has its own
   * @param addresses of the hosts, by their names, in their order; each host reaches all of them
   * @param more settings of all brokers
   */
  public TrialBrokers(Path root, Map<String, String> addresses, Map<String, String> more) {
    this.more = Map.copyOf(more);
    this.root = root;
    this.addresses = new LinkedHashMap<>(addresses);
    this.hosts = List.copyOf(addresses.keySet());
  }

  /** Folder of a broker. */
  public Home home(String host) {
    return new Home(root.resolve(host));
  }

  /** Settings of a broker, as Kafka reads them. */
  public Path settings(String host) {
    return home(host).root().resolve("etc/server.properties");
  }

  public String servers() {
    return hosts.stream().map(it -> at(it, CLIENTS)).collect(Collectors.joining(","));
  }

  private String at(String host, int port) {
    return addresses.get(host) + ":" + port;
  }

  /** Makes certificates, settings and empty logs. */
  public void make() throws IOException, InterruptedException {
    for (String host : hosts) {
      Home home = home(host);
      home.create();
      certificate(host).make();
    }
    String trusted = certificates();
    for (String host : hosts) {
      SmallFile.write(trusted(host), trusted, "rw-r--r--");
      StringWriter text = new StringWriter();
      properties(host).store(text, "a broker of a trial");
      SmallFile.write(settings(host), text.toString(), "rw-------");
      format(host);
    }
  }

  private ListenerCertificate certificate(String host) {
    return new ListenerCertificate(home(host), addresses.get(host));
  }

  /** File with the certificates of all, which each of them trusts and no others. */
  private Path trusted(String host) {
    return settings(host).resolveSibling("brokers.pem");
  }

  private String certificates() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String host : hosts) {
      all.append(Files.readString(home(host).listenerCertificate()));
    }
    return all.toString();
  }

  private Properties properties(String host) {
    Properties p = new Properties();
    int number = hosts.indexOf(host) + 1;
    p.put("process.roles", "broker,controller");
    p.put("node.id", Integer.toString(number));
    p.put(
        "controller.quorum.voters",
        hosts.stream()
            .map(it -> hosts.indexOf(it) + 1 + "@" + at(it, CONTROLLER))
            .collect(Collectors.joining(",")));
    p.put("log.dirs", home(host).brokerData().toString());
    String clients = "CLIENTS://" + at(host, CLIENTS) + ",BROKERS://" + at(host, BROKERS);
    p.put("listeners", clients + ",CONTROLLER://" + at(host, CONTROLLER));
    p.put("advertised.listeners", clients);
    p.put("listener.security.protocol.map", "CLIENTS:SASL_SSL,BROKERS:SSL,CONTROLLER:SSL");
    p.put("inter.broker.listener.name", "BROKERS");
    p.put("controller.listener.names", "CONTROLLER");
    p.put("listener.name.clients.sasl.enabled.mechanisms", ClientSettings.MECHANISM);
    p.put(
        "listener.name.clients.scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    p.put("ssl.keystore.type", "PEM");
    p.put("ssl.keystore.location", home(host).listenerKey().toString());
    p.put("ssl.truststore.type", "PEM");
    p.put("ssl.truststore.location", trusted(host).toString());
    for (String inner : List.of("brokers", "controller")) {
      p.put("listener.name." + inner + ".ssl.client.auth", "required");
    }
    p.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    p.put(
        "super.users",
        Stream.concat(
                Stream.of(KafkaPrincipal.ADMIN.text()),
                hosts.stream().map(it -> certificate(it).subject()))
            .map(name -> "User:" + name)
            .collect(Collectors.joining(";")));
    copies(p);
    p.putAll(more);
    return p;
  }

  /** What docs/kafka.md asks of the brokers of a site, and sizes for a small machine. */
  private static void copies(Properties p) {
    p.put("default.replication.factor", "3");
    p.put("min.insync.replicas", "2");
    p.put("transaction.state.log.replication.factor", "3");
    p.put("transaction.state.log.min.isr", "2");
    p.put("offsets.topic.replication.factor", "3");
    p.put("auto.create.topics.enable", "false");
    p.put("transaction.state.log.num.partitions", "8");
    p.put("offsets.topic.num.partitions", "8");
    p.put("group.initial.rebalance.delay.ms", "0");
    p.put("replica.fetch.backoff.ms", "100");
    p.put("add.partitions.to.txn.retry.backoff.ms", "2");
    p.put("group.coordinator.append.linger.ms", "0");
    p.put("group.coordinator.threads", "1");
    p.put("metadata.max.idle.interval.ms", "5000");
    p.put("num.network.threads", "2");
    p.put("num.io.threads", "4");
  }

  private void format(String host) throws IOException {
    String log = home(host).brokerData().toString();
    Files.createDirectories(home(host).brokerData());
    Formatter formatter =
        new Formatter()
            .setNodeId(hosts.indexOf(host) + 1)
            .setClusterId(clusterId)
            .setControllerListenerName("CONTROLLER")
            .setMetadataLogDirectory(log)
            .addDirectory(log)
            .setScramArguments(
                List.of(
                    ClientSettings.MECHANISM
                        + "=[name="
                        + KafkaPrincipal.ADMIN.text()
                        + ",password="
                        + adminPassword
                        + "]"))
            .setPrintStream(new PrintStream(OutputStream.nullOutputStream()));
    try {
      formatter.run();
    } catch (Exception e) { // so its signature says
      throw new IOException(log + " cannot be formatted: " + e.getMessage(), e);
    }
  }

  /** Client settings of the administrator. */
  public Map<String, Object> admin() throws IOException {
    Map<String, Object> client = new TreeMap<>();
    client.put("bootstrap.servers", servers());
    client.put("security.protocol", "SASL_SSL");
    client.put("ssl.truststore.type", "PEM");
    client.put("ssl.truststore.certificates", certificates());
    client.put("sasl.mechanism", ClientSettings.MECHANISM);
    client.put(
        "sasl.jaas.config", ClientSettings.login(KafkaPrincipal.ADMIN.text(), adminPassword));
    return client;
  }
}
