package io.millrace.server.streams.group;

import io.millrace.schemas.Topics;
import io.millrace.schemas.broker.LastingAdmin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The servers that share the shards of a cluster, as the brokers know them. */
public final class ShardGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShardGroup.class);
  private static final Duration PATIENCE = Duration.ofMillis(3_000);

  /** Names of transactions, and after them of consumers, as Kafka Streams makes them. */
  private static final Pattern PROCESS =
      Pattern.compile(Pattern.quote(Topics.APPLICATION) + "-([0-9a-f]{8}(-[0-9a-f]{4,12}){4})-.+");

  /** What Kafka Streams adds to the name of a server of one thread. */
  private static final String THREAD = "-1";

  private final LastingAdmin admin;

  public ShardGroup(Map<String, Object> client) {
    admin = new LastingAdmin(client);
  }

  /** Whether another server is there that can take the shards of this one. */
  public boolean hasOthers() {
    try {
      return members().size() > 1;
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("not known whether there are other servers: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /**
   * The shards of each server, by the name that it has in the group: of none when no server is
   * there. Empty while they are being divided, and when the brokers do not tell.
   */
  public Optional<Map<String, List<Integer>>> shares() throws InterruptedException {
    try {
      ConsumerGroupDescription group = group();
      return shares(group.groupState(), group.members());
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("not known who has which shards: {}", e.toString());
      return Optional.empty();
    }
  }

  static Optional<Map<String, List<Integer>>> shares(
      GroupState state, Collection<MemberDescription> members) {
    return switch (state) {
      case STABLE -> Optional.of(shares(members));
      case EMPTY, DEAD -> Optional.of(Map.of());
      default -> Optional.empty();
    };
  }

  private static Map<String, List<Integer>> shares(Collection<MemberDescription> members) {
    Map<String, List<Integer>> shares = new HashMap<>();
    for (MemberDescription member : members) {
      List<Integer> shards = shares.computeIfAbsent(server(member), name -> new ArrayList<>());
      member.assignment().topicPartitions().stream()
          .filter(partition -> partition.topic().equals(Topics.COMMANDS))
          .map(TopicPartition::partition)
          .sorted()
          .forEach(shards::add);
    }
    return shares;
  }

  /** Kafka Streams adds the number of its thread to the name that a server gives itself. */
  private static String server(MemberDescription member) {
    return member.groupInstanceId().orElse(member.consumerId()).replaceFirst("-[0-9]+$", "");
  }

  /**
   * Leaves the group at once in the name of a server whose shards have committed all; its own
   * client would do so only when it has closed them. The brokers refuse what it commits afterwards.
   *
   * @param server as it names itself
   */
  public void leave(String server) {
    MemberToRemove member = new MemberToRemove(server + THREAD);
    try {
      RemoveMembersFromConsumerGroupOptions one =
          new RemoveMembersFromConsumerGroupOptions(List.of(member));
      ask(client -> client.removeMembersFromConsumerGroup(Topics.APPLICATION, one).all());
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the shards go over only when they are closed here: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the membership of the process that had a server's name before and was killed, where others
   * are there: they have its shards at once, not when its session is over, and with tables that are
   * open, which those of this process are not. Where none is there the shards come back to it.
   *
   * @param server as it names itself
   * @return done when the server may join
   */
  public CompletableFuture<Void> endPredecessor(String server) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            if (hasPredecessor(server, members())) {
              LOG.info("the server that had this one's name is gone: others take its shards over");
              leave(server);
              // The others do not take its transaction for an orphan once this process has joined.
              endOrphans();
            }
          } catch (ExecutionException | TimeoutException e) {
            LOG.warn("not known whether shards are left from an earlier process: {}", e.toString());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  static boolean hasPredecessor(String server, Collection<MemberDescription> members) {
    return members.size() > 1
        && members.stream()
            .anyMatch(it -> it.groupInstanceId().equals(Optional.of(server + THREAD)));
  }

  /** Has {@link #endOrphans} done by a thread of its own, beside the taking over. */
  public void endOrphansSoon() {
    Thread thread = new Thread(this::endOrphans, "orphans");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Ends the transactions of servers that are gone. What a killed server had begun would keep the
   * positions of its shards from their next owner until the brokers' time-out of transactions.
   */
  public void endOrphans() {
    try {
      List<String> orphans = orphans(begun(), processes(members()));
      if (!orphans.isEmpty()) {
        LOG.info("ends transactions of servers that are gone: {}", orphans);
        ask(client -> client.fenceProducers(orphans).all());
      }
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("transactions of servers that are gone may last: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The transactions of shards that no process of the group has begun.
   *
   * @param processes the members' ones
   */
  static List<String> orphans(Collection<String> begun, Set<String> processes) {
    if (processes.contains("")) {
      return List.of(); // members have other names here: nothing is known of who lives
    }
    return begun.stream()
        .filter(name -> PROCESS.matcher(name).matches() && !processes.contains(process(name)))
        .toList();
  }

  /** The process in a name that Kafka Streams made; empty for another name. */
  static String process(String name) {
    Matcher matcher = PROCESS.matcher(name);
    return matcher.matches() ? matcher.group(1) : "";
  }

  private List<String> begun() throws InterruptedException, ExecutionException, TimeoutException {
    ListTransactionsOptions options =
        new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
    return ask(client -> client.listTransactions(options).all()).stream()
        .map(TransactionListing::transactionalId)
        .toList();
  }

  private Collection<MemberDescription> members()
      throws InterruptedException, ExecutionException, TimeoutException {
    return group().members();
  }

  private ConsumerGroupDescription group()
      throws InterruptedException, ExecutionException, TimeoutException {
    List<String> one = List.of(Topics.APPLICATION);
    return ask(
        client -> client.describeConsumerGroups(one).describedGroups().get(Topics.APPLICATION));
  }

  private <T> T ask(Function<Admin, KafkaFuture<T>> question)
      throws InterruptedException, ExecutionException, TimeoutException {
    return admin.ask(question, PATIENCE);
  }

  private static Set<String> processes(Collection<MemberDescription> members) {
    return members.stream()
        .map(member -> process(member.clientId()))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void close() {
    admin.close();
  }
}
