package io.millrace.ops.keys;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.init.AccessRules;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.ResourceNotFoundException;
import org.apache.kafka.common.resource.ResourcePatternFilter;

/**
 * Tells the home's own broker, while it runs, which other hosts are its principals. Passwords are
 * in the files before; a broker that starts takes them from there.
 */
public final class HostLogins {

  private final Home home;

  public HostLogins(Home home) {
    this.home = home;
  }

  /** Lets a host in with the password of its file, and gives it an executor's rights. */
  public void admit(String host) throws IOException, InterruptedException, KeysFailed {
    String principal = HostFiles.principal(host);
    String password = ClientSettings.password(home.hostClient(host));
    ScramCredentialInfo scram =
        new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, KeyRenewal.ITERATIONS);
    Map<String, Object> client = admin();
    try (Admin admin = Admin.create(client)) {
      admin.createAcls(AccessRules.ofHost(principal)).all().get();
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion(principal, scram, password)))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw failed(host, e.getCause());
    } catch (KafkaException e) {
      throw failed(host, e);
    }
    client.put("sasl.jaas.config", ClientSettings.login(principal, password));
    KeyRenewal.prove(client, principal);
  }

  /**
   * Takes all rights of a host back, which ends what it does over connections that it has, and its
   * password.
   */
  public void expel(String host) throws IOException, InterruptedException, KeysFailed {
    String principal = HostFiles.principal(host);
    try (Admin admin = Admin.create(admin())) {
      AccessControlEntryFilter its =
          new AccessControlEntryFilter(
              "User:" + principal, null, AclOperation.ANY, AclPermissionType.ANY);
      admin.deleteAcls(List.of(new AclBindingFilter(ResourcePatternFilter.ANY, its))).all().get();
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialDeletion(principal, ScramMechanism.SCRAM_SHA_512)))
          .all()
          .get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof ResourceNotFoundException)) {
        throw failed(host, e.getCause());
      }
    } catch (KafkaException e) {
      throw failed(host, e);
    }
  }

  private Map<String, Object> admin() throws IOException {
    return new HashMap<>(KeyRenewal.settings(home.client(KafkaPrincipal.ADMIN)));
  }

  private static KeysFailed failed(String host, Throwable why) {
    return new KeysFailed(
        "the broker was not told of host " + host + ": " + KeyRenewal.oneLine(why), why);
  }
}
