package io.millrace.ops.home;

import io.millrace.schemas.hostkey.HostKey;
import io.millrace.server.http.ListeningPlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a home needs to join a cluster that {@code cluster init} has made: where it is, the secrets
 * of the cluster, and an account for each kind of parts. The administrator's is not there.
 *
 * @param clusterId of the Kafka cluster
 * @param servers its brokers
 * @param shards how many it has
 * @param secrets what all homes of the cluster know
 * @param accounts client settings of each principal but the administrator
 */
public record JoinFile(
    String clusterId,
    String servers,
    int shards,
    Secrets secrets,
    Map<KafkaPrincipal, Map<String, Object>> accounts) {

  /**
   * What all homes of a cluster know, and nobody else.
   *
   * @param queryToken what gateways show to servers
   * @param hosts from which the keys of the homes' hosts are made
   * @param certificate by which gateways know servers, in PEM
   * @param key of the certificate, in PEM
   */
  public record Secrets(String queryToken, String hosts, String certificate, String key) {

    private boolean areWhole() {
      return !queryToken.isEmpty()
          && HostKey.isSecret(hosts)
          && certificate.contains("BEGIN CERTIFICATE")
          && key.contains("BEGIN PRIVATE KEY");
    }
  }

  private static final String CLUSTER = "cluster.id";
  private static final String SERVERS = "bootstrap.servers";
  private static final String SHARDS = "shards";
  private static final String TOKEN = "query.token";
  private static final String HOSTS = "hosts.secret";
  private static final String CERTIFICATE = "query.certificate";
  private static final String KEY = "query.key";

  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  /** The principals that have accounts of their own in it. */
  public static List<KafkaPrincipal> principals() {
    return List.of(KafkaPrincipal.values()).stream()
        .filter(it -> it != KafkaPrincipal.ADMIN)
        .toList();
  }

  /**
   * Reads one.
   *
   * @throws IOException in one line, when it is none or others may read it
   */
  public static JoinFile read(Path file) throws IOException {
    return read(file, OTHERS);
  }

  /**
   * Reads one that a secret of a container is: its owner is root, and the group is the reader's.
   *
   * @throws IOException in one line, when it is none or everybody may read it
   */
  public static JoinFile ofSecret(Path file) throws IOException {
    return read(
        file,
        Set.of(
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE));
  }

  /**
   * Refuses a file with passwords that others than its owner may read or write.
   *
   * @throws IOException in one line
   */
  public static void checkOwnersOnly(Path file) throws IOException {
    check(file, OTHERS);
  }

  private static void check(Path file, Set<PosixFilePermission> refused) throws IOException {
    if (Files.getPosixFilePermissions(file).stream().anyMatch(refused::contains)) {
      throw new IOException(
          file + " holds passwords, and others than its owner may read it: chmod 600 " + file);
    }
  }

  private static JoinFile read(Path file, Set<PosixFilePermission> refused) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("there is no file " + file + " that can be read");
    }
    check(file, refused);
    Map<String, Object> all = ClientSettings.read(file);
    Map<KafkaPrincipal, Map<String, Object>> accounts = new EnumMap<>(KafkaPrincipal.class);
    for (KafkaPrincipal principal : principals()) {
      String start = principal.text() + ".";
      Map<String, Object> account = new TreeMap<>();
      all.forEach(
          (name, value) -> {
            if (name.startsWith(start)) {
              account.put(name.substring(start.length()), value);
            }
          });
      accounts.put(principal, account);
    }
    JoinFile join =
        new JoinFile(
            all.getOrDefault(CLUSTER, "").toString(),
            all.getOrDefault(SERVERS, "").toString(),
            number(all.getOrDefault(SHARDS, "").toString()),
            new Secrets(
                all.getOrDefault(TOKEN, "").toString(),
                all.getOrDefault(HOSTS, "").toString(),
                all.getOrDefault(CERTIFICATE, "").toString(),
                all.getOrDefault(KEY, "").toString()),
            accounts);
    if (!join.isWhole()) {
      throw new IOException(file + " is no join file: ./millrace cluster init makes one");
    }
    return join;
  }

  private static int number(String text) {
    return text.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(text) : 0;
  }

  /** The same with another account of one principal. */
  public JoinFile withAccount(KafkaPrincipal principal, Map<String, Object> account) {
    Map<KafkaPrincipal, Map<String, Object>> changed = new EnumMap<>(accounts);
    changed.put(principal, account);
    return new JoinFile(clusterId, servers, shards, secrets, changed);
  }

  /** The same by way of other brokers of the cluster, or of other addresses of them. */
  public JoinFile withServers(String others) {
    return new JoinFile(clusterId, others, shards, secrets, accounts);
  }

  private boolean isWhole() {
    return !clusterId.isEmpty()
        && !servers.isEmpty()
        && shards > 0
        && secrets.areWhole()
        && accounts.values().stream().noneMatch(Map::isEmpty);
  }

  /** Writes it for the owner alone. */
  public void write(Path file) throws IOException {
    Map<String, Object> all = new HashMap<>();
    all.put(CLUSTER, clusterId);
    all.put(SERVERS, servers);
    all.put(SHARDS, shards);
    all.put(TOKEN, secrets.queryToken());
    all.put(HOSTS, secrets.hosts());
    all.put(CERTIFICATE, secrets.certificate());
    all.put(KEY, secrets.key());
    accounts.forEach(
        (principal, account) ->
            account.forEach((name, value) -> all.put(principal.text() + "." + name, value)));
    SmallFile.write(
        file,
        "# Lets a home join a cluster: ./millrace up --join FILE. It holds passwords.\n"
            + ClientSettings.text(all),
        "rw-------");
  }

  /** Gives a home what it needs; what it had of an earlier join file is replaced. */
  public void give(Home home) throws IOException {
    for (Map.Entry<KafkaPrincipal, Map<String, Object>> each : accounts.entrySet()) {
      SmallFile.write(
          home.client(each.getKey()),
          "# From the join file.\n" + ClientSettings.text(each.getValue()),
          ClientSettings.mode(each.getKey()));
    }
    SmallFile.write(home.queryToken(), secrets.queryToken() + "\n", "rw-------");
    SmallFile.write(home.hostSecret(), secrets.hosts() + "\n", "rw-------");
    SmallFile.write(ListeningPlaces.key(home.root()), secrets.key(), "rw-------");
    SmallFile.write(ListeningPlaces.certificate(home.root()), secrets.certificate(), "rw-r--r--");
    SmallFile.write(home.joined(), clusterId + "\n");
  }
}
