package io.millrace.ops.join;

import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.kafka.BriefClient;
import io.millrace.ops.kafka.BrokerRefusal;
import io.millrace.ops.word.OneLine;
import io.millrace.schemas.Topics;
import io.millrace.schemas.program.SocketText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** Whether a join file fits the cluster that it names, asked before a home is touched. */
public final class JoinCheck {

  private JoinCheck() {}

  /**
   * Asks the brokers with the account of the gateway.
   *
   * @throws IOException in one line
   */
  public static void pass(JoinFile join) throws IOException, InterruptedException {
    ask(join, KafkaPrincipal.GATEWAY, BriefClient.of(join.accounts().get(KafkaPrincipal.GATEWAY)));
  }

  /**
   * Asks the brokers with the account of a principal, also such as have only begun to start. Only
   * servers and gateways are told of the topic of commands.
   *
   * @param patience for brokers that do not answer
   * @throws IOException in one line
   */
  public static void pass(JoinFile join, KafkaPrincipal principal, Duration patience)
      throws IOException, InterruptedException {
    ask(join, principal, BriefClient.of(join.accounts().get(principal), patience));
  }

  private static void ask(JoinFile join, KafkaPrincipal principal, Map<String, Object> client)
      throws IOException, InterruptedException {
    client.put("bootstrap.servers", join.servers());
    try (Admin admin = Admin.create(client)) {
      String id = admin.describeCluster().clusterId().get();
      if (!id.equals(join.clusterId())) {
        throw new IOException(
            "the join file is of cluster "
                + join.clusterId()
                + ", and the brokers at "
                + join.servers()
                + " are "
                + id
                + ": take the file that ./millrace cluster init wrote for these");
      }
      if (principal == KafkaPrincipal.SERVER || principal == KafkaPrincipal.GATEWAY) {
        requireShards(admin, join.shards());
      }
    } catch (ExecutionException e) {
      throw failed(join, e.getCause());
    } catch (KafkaException e) {
      throw failed(join, e.getCause() instanceof KafkaException ? e.getCause() : e);
    }
  }

  private static void requireShards(Admin admin, int said)
      throws IOException, InterruptedException, ExecutionException {
    int shards =
        admin
            .describeTopics(List.of(Topics.COMMANDS))
            .allTopicNames()
            .get()
            .get(Topics.COMMANDS)
            .partitions()
            .size();
    if (shards != said) {
      throw new IOException(
          "topic "
              + Topics.COMMANDS
              + " has "
              + shards
              + " partitions, and the join file says "
              + said
              + " shards: somebody has changed the topic, or the file");
    }
  }

  /**
   * Whether a server can listen at an address.
   *
   * @throws IOException in one line when another program does, or the address is not of this host
   */
  public static void free(InetSocketAddress address) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    } catch (IOException e) {
      throw new IOException(
          "nobody can listen at "
              + SocketText.text(address)
              + ": "
              + OneLine.of(e)
              + "; give a free port of an address of this host",
          e);
    }
  }

  private static IOException failed(JoinFile join, Throwable why) {
    return new IOException(
        "the cluster at "
            + join.servers()
            + " does not take the account of the join file: "
            + BrokerRefusal.of(why)
            + "; is it the file of the last ./millrace cluster init, and do the brokers answer?",
        why);
  }
}
