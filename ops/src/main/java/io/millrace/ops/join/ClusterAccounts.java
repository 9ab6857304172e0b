package io.millrace.ops.join;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.init.InitException;
import io.millrace.ops.word.OneLine;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaException;

/** Makes the accounts of the parts on a given cluster, with SCRAM, and tries them. */
final class ClusterAccounts {

  private static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA_512;

  /** The fewest that Kafka allows; passwords are random numbers of 192 bits. */
  private static final int ITERATIONS = 4096;

  /** Until all brokers know a new account. */
  private static final Duration KNOWN = Duration.ofSeconds(5);

  private static final long AGAIN_MS = 200;

  private final Map<String, Object> administrator;
  private final Admin admin;
  private final List<KafkaPrincipal> principals;
  private final Map<KafkaPrincipal, Map<String, Object>> accounts =
      new EnumMap<>(KafkaPrincipal.class);

  /**
   * @param administrator client settings, of which accounts take all but the login
   * @param principals who gets one
   */
  ClusterAccounts(Map<String, Object> administrator, Admin admin, List<KafkaPrincipal> principals) {
    this.administrator = administrator;
    this.admin = admin;
    this.principals = List.copyOf(principals);
  }

  /** Why accounts cannot be made with these settings of an administrator; empty when they can. */
  static String obstacle(Map<String, Object> administrator) {
    Object protocol = administrator.getOrDefault("security.protocol", "PLAINTEXT");
    return protocol.toString().startsWith("SASL_")
        ? ""
        : "parts get accounts with passwords, and the administrator comes in without one"
            + " (security.protocol="
            + protocol
            + "): name a listener of the brokers with SASL_SSL and "
            + ClientSettings.MECHANISM;
  }

  /** Those of our names that the cluster has already. */
  List<String> there() throws ExecutionException, InterruptedException {
    List<String> there = new ArrayList<>();
    admin
        .describeUserScramCredentials()
        .all()
        .get()
        .forEach(
            (name, description) -> {
              boolean ours = names().contains(name);
              boolean can =
                  description.credentialInfos().stream()
                      .map(ScramCredentialInfo::mechanism)
                      .anyMatch(MECHANISM::equals);
              if (ours && can) {
                there.add(name);
              }
            });
    there.sort(null);
    return there;
  }

  private List<String> names() {
    return principals.stream().map(KafkaPrincipal::text).toList();
  }

  /** Makes them, with new passwords, and waits until one can log in. */
  Map<KafkaPrincipal, Map<String, Object>> make()
      throws ExecutionException, InterruptedException, InitException {
    SecureRandom random = new SecureRandom();
    List<UserScramCredentialAlteration> changes = new ArrayList<>();
    for (KafkaPrincipal principal : principals) {
      String password = ClientSettings.newPassword(random);
      Map<String, Object> account = new TreeMap<>(administrator);
      account.keySet().removeIf(name -> name.startsWith("sasl.") || name.startsWith("ssl.key"));
      account.put("sasl.mechanism", ClientSettings.MECHANISM);
      account.put("sasl.jaas.config", ClientSettings.login(principal.text(), password));
      accounts.put(principal, account);
      changes.add(
          new UserScramCredentialUpsertion(
              principal.text(), new ScramCredentialInfo(MECHANISM, ITERATIONS), password));
    }
    admin.alterUserScramCredentials(changes).all().get();
    for (Map<String, Object> account : accounts.values()) {
      logIn(account);
    }
    return Map.copyOf(accounts);
  }

  private static void logIn(Map<String, Object> account)
      throws InterruptedException, InitException {
    Map<String, Object> client = new HashMap<>(account);
    client.put("default.api.timeout.ms", Long.toString(KNOWN.toMillis()));
    client.put("request.timeout.ms", Long.toString(KNOWN.toMillis()));
    long deadline = System.nanoTime() + KNOWN.toNanos();
    while (true) {
      try (Admin probe = Admin.create(client)) {
        probe.describeCluster().clusterId().get();
        return;
      } catch (ExecutionException | KafkaException e) {
        if (System.nanoTime() > deadline) {
          throw new InitException(
              "the brokers do not let in an account that was just made: "
                  + OneLine.of(e)
                  + "; sasl.enabled.mechanisms of their listener must have "
                  + ClientSettings.MECHANISM,
              e);
        }
        TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
      }
    }
  }

  /** Takes them back. */
  void delete() throws ExecutionException, InterruptedException {
    List<UserScramCredentialAlteration> changes = new ArrayList<>();
    names().forEach(name -> changes.add(new UserScramCredentialDeletion(name, MECHANISM)));
    admin.alterUserScramCredentials(changes).all().get();
  }
}
