package io.millrace.ops.keys;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.KeyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/**
 * Renews passwords while the broker runs, in three steps: the new ones are written beside the old,
 * the broker is told all of them in one request, and when each has been proven they take the place
 * of the old. A broker that starts in between takes the new ones ({@code BrokerMain}).
 */
public final class KeyRenewal {

  static final int ITERATIONS = 4096;

  /** How long a broker may take to let in whom it was told of. */
  private static final Duration PROOF_PATIENCE = Duration.ofSeconds(30);

  private static final int RETRY_MS = 50;

  private final Home home;

  public KeyRenewal(Home home) {
    this.home = home;
  }

  /**
   * Renews the passwords of these principals, and those of an interrupted renewal.
   *
   * @return whose passwords are new
   * @throws KeysFailed when the broker does not take them; a later call goes on where this one
   *     ended
   */
  public List<KafkaPrincipal> renew(Collection<KafkaPrincipal> principals)
      throws IOException, InterruptedException, KeysFailed {
    KeyFiles.begin(home, principals);
    return finish();
  }

  /**
   * Goes on with a renewal that was interrupted.
   *
   * @return whose passwords are new; empty when there was none
   */
  public List<KafkaPrincipal> finish() throws IOException, InterruptedException, KeysFailed {
    List<KafkaPrincipal> begun = KeyFiles.begun(home);
    if (begun.isEmpty()) {
      return begun;
    }
    List<UserScramCredentialAlteration> alterations = new ArrayList<>();
    for (KafkaPrincipal principal : begun) {
      alterations.add(
          new UserScramCredentialUpsertion(
              principal.text(),
              new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS),
              ClientSettings.password(KeyFiles.next(home, principal))));
    }
    alter(alterations);
    for (KafkaPrincipal principal : begun) {
      Path next = KeyFiles.next(home, principal);
      prove(settings(next), next.toString());
    }
    KeyFiles.finish(home);
    return begun;
  }

  /** Tells the broker, as the administrator with whichever of his passwords it knows. */
  private void alter(List<UserScramCredentialAlteration> alterations)
      throws IOException, InterruptedException, KeysFailed {
    Path client = home.client(KafkaPrincipal.ADMIN);
    Path next = KeyFiles.next(home, KafkaPrincipal.ADMIN);
    if (!altered(client, alterations) && !(Files.exists(next) && altered(next, alterations))) {
      throw new KeysFailed(
          "the broker does not know the password of "
              + client
              + ": ./millrace down, then up, makes those of the files known",
          null);
    }
  }

  /** Whether the broker was told; false when it does not know the administrator's password. */
  private static boolean altered(Path client, List<UserScramCredentialAlteration> alterations)
      throws IOException, InterruptedException, KeysFailed {
    try (Admin admin = Admin.create(settings(client))) {
      admin.alterUserScramCredentials(alterations).all().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthenticationException) {
        return false;
      }
      throw new KeysFailed("keys are not renewed: " + oneLine(e.getCause()), e);
    } catch (KafkaException e) {
      throw new KeysFailed("keys are not renewed: " + oneLine(e), e);
    }
  }

  /** Logs in with these settings; a listener may hear of a new password a moment later. */
  static void prove(Map<String, Object> client, String name)
      throws InterruptedException, KeysFailed {
    long deadline = System.nanoTime() + PROOF_PATIENCE.toNanos();
    while (true) {
      try (Admin admin = Admin.create(client)) {
        admin.describeCluster().clusterId().get();
        return;
      } catch (ExecutionException e) {
        boolean later = e.getCause() instanceof AuthenticationException;
        if (!later || System.nanoTime() > deadline) {
          throw new KeysFailed(name + " is not let in: " + oneLine(e.getCause()), e);
        }
      }
      TimeUnit.MILLISECONDS.sleep(RETRY_MS);
    }
  }

  static Map<String, Object> settings(Path client) throws IOException {
    Map<String, Object> settings = new HashMap<>(ClientSettings.read(client));
    settings.put("default.api.timeout.ms", "30000");
    settings.put("request.timeout.ms", "10000");
    return settings;
  }

  static String oneLine(Throwable e) {
    return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
  }
}
