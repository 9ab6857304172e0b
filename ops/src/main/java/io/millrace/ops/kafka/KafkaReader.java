package io.millrace.ops.kafka;

import io.millrace.ops.init.PlannedTopics;
import io.millrace.ops.kafka.KafkaSettings.Partition;
import io.millrace.ops.kafka.KafkaSettings.Topic;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.Topics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.ClientDnsLookup;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Reads what a cluster says of itself. */
final class KafkaReader {

  private static final Set<String> KAFKAS_OWN = Set.of("__consumer_offsets", "__transaction_state");

  private static final String REQUEST_MS = "10000";

  /** A broker that is there may be on a busy machine, with logins before this one. */
  private static final String ALL_MS = "30000";

  /** Of one broker, so that there is time for the next one of the list. */
  private static final int CONNECT_MS = 3000;

  private KafkaReader() {}

  /**
   * @param client settings of an administrator
   * @throws WordFailed in one line, when the brokers do not answer or do not tell
   */
  static KafkaSettings read(Map<String, Object> client) throws WordFailed, InterruptedException {
    Map<String, Object> patient = new HashMap<>(client);
    patient.put("request.timeout.ms", REQUEST_MS);
    patient.put("default.api.timeout.ms", ALL_MS);
    patient.put("socket.connection.setup.timeout.ms", CONNECT_MS);
    patient.put("socket.connection.setup.timeout.max.ms", CONNECT_MS);
    someoneListens(client);
    try (Admin admin = Admin.create(patient)) {
      Collection<Node> nodes = admin.describeCluster().nodes().get();
      Set<String> known = names(admin.listTopics(internalToo()).names().get());
      List<ConfigResource> asked = new ArrayList<>();
      for (Node node : nodes) {
        asked.add(new ConfigResource(ConfigResource.Type.BROKER, node.idString()));
      }
      known.forEach(name -> asked.add(new ConfigResource(ConfigResource.Type.TOPIC, name)));
      Map<ConfigResource, Config> told = admin.describeConfigs(asked).all().get();
      SortedMap<Integer, Map<String, String>> brokers = new TreeMap<>();
      SortedMap<String, Topic> topics = new TreeMap<>();
      Map<String, TopicDescription> described = admin.describeTopics(known).allTopicNames().get();
      told.forEach(
          (who, settings) -> {
            if (who.type() == ConfigResource.Type.BROKER) {
              brokers.put(Integer.parseInt(who.name()), values(settings));
            } else {
              topics.put(who.name(), topic(described.get(who.name()), values(settings)));
            }
          });
      return new KafkaSettings(brokers, topics, features(admin), clockAheadMs(admin));
    } catch (ExecutionException e) {
      throw failed(client, e.getCause());
    } catch (KafkaException e) {
      throw failed(client, e.getCause() instanceof KafkaException ? e.getCause() : e);
    }
  }

  /** The leader of the controllers tells its time as that of its own last look at its log. */
  private static long clockAheadMs(Admin admin) throws InterruptedException, ExecutionException {
    long beganMs = System.currentTimeMillis();
    QuorumInfo quorum;
    try {
      quorum = admin.describeMetadataQuorum().quorumInfo().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException
          || e.getCause() instanceof UnsupportedVersionException) {
        return 0; // not told to this account
      }
      throw e;
    }
    long endedMs = System.currentTimeMillis();
    OptionalLong theirs =
        quorum.voters().stream()
            .filter(it -> it.replicaId() == quorum.leaderId())
            .map(QuorumInfo.ReplicaState::lastFetchTimestamp)
            .filter(OptionalLong::isPresent)
            .mapToLong(OptionalLong::getAsLong)
            .findFirst();
    return theirs.isEmpty() ? 0 : clockAheadMs(theirs.getAsLong(), beganMs, endedMs);
  }

  /** What is sure: a clock that was read between two looks at this one. */
  static long clockAheadMs(long theirsMs, long beganMs, long endedMs) {
    return Math.max(0, theirsMs - endedMs) + Math.min(0, theirsMs - beganMs);
  }

  /** The client would try again and again until its time is over, and not say what was wrong. */
  private static void someoneListens(Map<String, Object> client) throws WordFailed {
    List<String> servers = List.of(client.get("bootstrap.servers").toString().split(" *, *"));
    List<String> why = new ArrayList<>();
    try {
      for (InetSocketAddress address :
          ClientUtils.parseAndValidateAddresses(servers, ClientDnsLookup.USE_ALL_DNS_IPS)) {
        try (Socket socket = new Socket()) {
          socket.connect(address, CONNECT_MS);
          return;
        } catch (IOException e) {
          why.add(address.getHostString() + ":" + address.getPort() + ": " + e.getMessage());
        }
      }
    } catch (KafkaException e) {
      throw failed(client, e);
    }
    throw failed(client, new IOException("nobody listens: " + String.join(", ", why)));
  }

  private static WordFailed failed(Map<String, Object> client, Throwable why) {
    return new WordFailed(
        "the cluster at "
            + client.get("bootstrap.servers")
            + " does not tell: "
            + BrokerRefusal.of(why),
        why);
  }

  private static ListTopicsOptions internalToo() {
    return new ListTopicsOptions().listInternal(true);
  }

  /** Of all topics those that matter here. */
  private static Set<String> names(Set<String> all) {
    Set<String> wanted = new TreeSet<>(PlannedTopics.names());
    wanted.addAll(KAFKAS_OWN);
    Set<String> there = new TreeSet<>();
    for (String name : all) {
      boolean table = name.startsWith(Topics.APPLICATION + "-") && name.endsWith("-changelog");
      if (table || wanted.contains(name)) {
        there.add(name);
      }
    }
    return there;
  }

  private static Map<String, String> values(Config settings) {
    Map<String, String> values = new HashMap<>();
    settings.entries().stream()
        .filter(entry -> entry.value() != null)
        .forEach(entry -> values.put(entry.name(), entry.value()));
    return values;
  }

  private static Topic topic(TopicDescription description, Map<String, String> settings) {
    List<Partition> partitions =
        description.partitions().stream()
            .map(
                it ->
                    new Partition(
                        it.replicas().stream().map(Node::id).toList(),
                        it.isr().size(),
                        it.leader() != null && !it.leader().isEmpty()))
            .toList();
    return new Topic(partitions, settings);
  }

  private static Map<String, Integer> features(Admin admin)
      throws ExecutionException, InterruptedException {
    Map<String, Integer> features = new HashMap<>();
    admin
        .describeFeatures()
        .featureMetadata()
        .get()
        .finalizedFeatures()
        .forEach((name, range) -> features.put(name, (int) range.maxVersionLevel()));
    return features;
  }
}
