package io.millrace.ops.join;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.init.ClusterInit;
import io.millrace.ops.init.InitException;
import io.millrace.ops.join.GivenAccounts.KafkaAccount;
import io.millrace.ops.kafka.BriefClient;
import io.millrace.ops.kafka.BrokerRefusal;
import io.millrace.ops.keys.ListenerCertificate;
import io.millrace.schemas.Topics;
import io.millrace.schemas.hostkey.HostKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.SecurityDisabledException;

/**
 * Makes a given Kafka cluster ready for homes that join it: accounts, topics, access rules, schemas
 * and secrets. What is refused is refused before anything is made; when something fails later, the
 * accounts are taken back, and another try makes what is missing.
 */
public final class ClusterFounding {

  /** In the certificate of all servers of a cluster; no host has it. */
  private static final String NAME = "queries.millrace.invalid";

  private final Map<String, Object> administrator;
  private final Map<KafkaPrincipal, KafkaAccount> given;
  private final Consumer<String> say;

  /**
   * @param administrator client settings
   * @param say called with one line for everything that was made
   */
  public ClusterFounding(Map<String, Object> administrator, Consumer<String> say) {
    this(administrator, Map.of(), say);
  }

  /**
   * @param given accounts of all principals that are there; none: they are made
   */
  public ClusterFounding(
      Map<String, Object> administrator,
      Map<KafkaPrincipal, KafkaAccount> given,
      Consumer<String> say) {
    this.administrator = Map.copyOf(administrator);
    this.given = Map.copyOf(given);
    this.say = say;
  }

  /**
   * Makes all of it and writes the join file.
   *
   * @param shards 0 for as many as the cluster has, or the usual number
   * @param newPasswords whether accounts that are there get new passwords
   */
  public void run(int shards, boolean newPasswords, Path file)
      throws InitException, IOException, InterruptedException {
    if (Files.exists(file)) {
      throw new IOException(
          file + " is there already: a join file of another name, or move that one away");
    }
    Path folder = folder(file);
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new IOException(folder + " is no folder that can be written to");
    }
    String obstacle = given.isEmpty() ? ClusterAccounts.obstacle(administrator) : "";
    if (!obstacle.isEmpty()) {
      throw new InitException(obstacle, null);
    }
    try (Admin admin = Admin.create(BriefClient.of(administrator))) {
      run(admin, shards, newPasswords, file);
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (KafkaException e) {
      throw failed(e.getCause() instanceof KafkaException ? e.getCause() : e);
    }
  }

  private void run(Admin admin, int shards, boolean newPasswords, Path file)
      throws InitException, IOException, InterruptedException, ExecutionException {
    String id = admin.describeCluster().clusterId().get();
    admin.describeAcls(AclBindingFilter.ANY).values().get();
    int there = shardsThere(admin);
    int wanted = shards > 0 ? shards : there > 0 ? there : Topics.DEFAULT_SHARDS;
    if (there > 0 && there != wanted) {
      throw new InitException(
          "the cluster has "
              + there
              + " shards, which is fixed: --shards "
              + wanted
              + " is refused",
          null);
    }
    if (!given.isEmpty()) {
      withGiven(id, wanted, file);
      return;
    }
    ClusterAccounts accounts = new ClusterAccounts(administrator, admin, JoinFile.principals());
    List<String> known = accounts.there();
    if (!known.isEmpty() && !newPasswords) {
      throw new InitException(
          "the cluster has the accounts "
              + String.join(", ", known)
              + " already: use the join file that was made with them, or give --new-passwords,"
              + " which locks out the homes that have joined",
          null);
    }
    // What most often fails comes first: passwords that were changed are in the join file alone.
    new ClusterInit(administrator, wanted, say).run(true);
    JoinFile.Secrets secrets = secrets(folder(file));
    boolean whole = false;
    try {
      Map<KafkaPrincipal, Map<String, Object>> made = accounts.make();
      say.accept("made the accounts " + KafkaPrincipal.names(JoinFile.principals(), ", "));
      String servers = administrator.get("bootstrap.servers").toString();
      new JoinFile(id, servers, wanted, secrets, made).write(file);
      whole = true;
    } finally {
      if (!whole && known.isEmpty()) {
        accounts.delete();
      }
    }
  }

  /** With accounts that are there; each is tried before anything is made. */
  private void withGiven(String id, int shards, Path file)
      throws InitException, IOException, InterruptedException {
    String servers = administrator.get("bootstrap.servers").toString();
    Map<KafkaPrincipal, Map<String, Object>> clients = new EnumMap<>(KafkaPrincipal.class);
    Map<KafkaPrincipal, String> names = new EnumMap<>(KafkaPrincipal.class);
    for (KafkaPrincipal principal : JoinFile.principals()) {
      KafkaAccount account = given.get(principal);
      Map<String, Object> client = new TreeMap<>(account.client());
      client.put("bootstrap.servers", servers);
      tryOut(principal, client, id);
      clients.put(principal, client);
      names.put(principal, account.principal());
    }
    new ClusterInit(administrator, shards, say).run(names);
    new JoinFile(id, servers, shards, secrets(folder(file)), clients).write(file);
  }

  private static void tryOut(KafkaPrincipal principal, Map<String, Object> client, String id)
      throws InitException, InterruptedException {
    String why;
    try (Admin probe = Admin.create(BriefClient.of(client))) {
      String there = probe.describeCluster().clusterId().get();
      if (there.equals(id)) {
        return;
      }
      why = "these settings lead to another cluster, " + there;
    } catch (ExecutionException e) {
      why = BrokerRefusal.of(e.getCause());
    } catch (KafkaException e) {
      why = BrokerRefusal.of(e.getCause() instanceof KafkaException ? e.getCause() : e);
    }
    throw new InitException(
        "the brokers do not take the account of " + principal.text() + ": " + why, null);
  }

  private static Path folder(Path file) {
    return file.toAbsolutePath().getParent();
  }

  /**
   * New ones; the certificate that all servers show is made in a folder that is gone afterwards.
   */
  private static JoinFile.Secrets secrets(Path beside) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(beside, ".made");
    try {
      Home made = new Home(folder);
      made.create();
      new ListenerCertificate(made, NAME).make();
      String certificate = Files.readString(made.listenerCertificate());
      SecureRandom random = new SecureRandom();
      return new JoinFile.Secrets(
          ClientSettings.newPassword(random),
          HostKey.newText(random),
          certificate,
          Files.readString(made.listenerKey()).replace(certificate, ""));
    } finally {
      FolderTree.delete(folder);
    }
  }

  private static int shardsThere(Admin admin) throws ExecutionException, InterruptedException {
    boolean there = admin.listTopics().names().get().contains(Topics.COMMANDS);
    return there
        ? admin
            .describeTopics(List.of(Topics.COMMANDS))
            .allTopicNames()
            .get()
            .get(Topics.COMMANDS)
            .partitions()
            .size()
        : 0;
  }

  private InitException failed(Throwable why) {
    String cure =
        why instanceof SecurityDisabledException
            ? "; set authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer"
                + " at each broker"
            : "";
    return new InitException(
        "the cluster at "
            + administrator.get("bootstrap.servers")
            + " cannot be made ready: "
            + BrokerRefusal.of(why)
            + cure,
        why);
  }
}
