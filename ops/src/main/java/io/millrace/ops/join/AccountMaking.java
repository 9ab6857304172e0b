package io.millrace.ops.join;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.init.InitException;
import io.millrace.ops.kafka.BriefClient;
import io.millrace.ops.kafka.BrokerRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Makes accounts with passwords for the kinds of parts of which a folder has no settings, and
 * writes these. Files that are there stay, and so do their accounts.
 */
public final class AccountMaking {

  private final Map<String, Object> administrator;
  private final GivenAccounts folder;

  /**
   * @param administrator client settings
   */
  public AccountMaking(Map<String, Object> administrator, GivenAccounts folder) {
    this.administrator = Map.copyOf(administrator);
    this.folder = folder;
  }

  /**
   * @param newPasswords whether accounts that are there get new passwords
   * @return for whom accounts were made
   */
  public List<KafkaPrincipal> run(boolean newPasswords)
      throws InitException, IOException, InterruptedException {
    folder.there(); // what is wrong with them is said before anything is made
    List<KafkaPrincipal> missing = folder.missing();
    if (missing.isEmpty()) {
      return missing;
    }
    String obstacle = ClusterAccounts.obstacle(administrator);
    if (!obstacle.isEmpty()) {
      throw new InitException(obstacle, null);
    }
    try (Admin admin = Admin.create(BriefClient.of(administrator))) {
      make(new ClusterAccounts(administrator, admin, missing), missing, newPasswords);
      return missing;
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (KafkaException e) {
      throw failed(e.getCause() instanceof KafkaException ? e.getCause() : e);
    }
  }

  private void make(ClusterAccounts accounts, List<KafkaPrincipal> missing, boolean newPasswords)
      throws ExecutionException, InterruptedException, InitException, IOException {
    List<String> known = accounts.there();
    if (!known.isEmpty() && !newPasswords) {
      throw new InitException(
          "the cluster has the accounts "
              + String.join(", ", known)
              + " already: write their settings into the folder, or give --new-passwords, which"
              + " locks out whoever has the old ones",
          null);
    }
    boolean whole = false;
    try {
      for (Map.Entry<KafkaPrincipal, Map<String, Object>> each : accounts.make().entrySet()) {
        folder.write(each.getKey(), each.getValue());
      }
      whole = true;
    } finally {
      if (!whole && known.isEmpty()) {
        accounts.delete();
        for (KafkaPrincipal principal : missing) {
          Files.deleteIfExists(folder.file(principal));
        }
      }
    }
  }

  private InitException failed(Throwable why) {
    return new InitException(
        "no accounts can be made at "
            + administrator.get("bootstrap.servers")
            + ": "
            + BrokerRefusal.of(why),
        why);
  }
}
