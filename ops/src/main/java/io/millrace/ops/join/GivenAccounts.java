package io.millrace.ops.join;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.SmallFile;
import io.millrace.schemas.program.KafkaClientFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder with Kafka client settings for each kind of parts, {@code server.properties}, {@code
 * gateway.properties} and so on: accounts that are there, whatever they log in with.
 */
public final class GivenAccounts {

  /** Whom the brokers take the account for, where its login does not tell. */
  static final String PRINCIPAL = "millrace.principal";

  private static final Pattern USERNAME = Pattern.compile("\\busername=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private final Path folder;

  /**
   * An account of a part.
   *
   * @param principal its name among the brokers, without {@code User:}
   * @param client settings with which it comes in
   */
  public record KafkaAccount(String principal, Map<String, Object> client) {}

  public GivenAccounts(Path folder) {
    this.folder = folder;
  }

  Path file(KafkaPrincipal principal) {
    return folder.resolve(principal.text() + ".properties");
  }

  /** Principals without a file. */
  List<KafkaPrincipal> missing() {
    return JoinFile.principals().stream().filter(it -> !Files.exists(file(it))).toList();
  }

  /** Writes a file for its owner alone; the folder is made. */
  void write(KafkaPrincipal principal, Map<String, Object> client) throws IOException {
    Files.createDirectories(folder);
    String text = "# the account of each " + principal.text() + "\n" + ClientSettings.text(client);
    SmallFile.write(file(principal), text, "rw-------");
  }

  /**
   * The account of each principal.
   *
   * @throws IOException in one line when a file is missing, open to others, or does not say enough
   */
  public Map<KafkaPrincipal, KafkaAccount> read() throws IOException {
    List<KafkaPrincipal> missing = missing();
    if (!missing.isEmpty()) {
      throw new IOException(
          folder
              + " has no settings of "
              + KafkaPrincipal.names(missing, ", ")
              + " ("
              + file(missing.get(0)).getFileName()
              + "): write them, or have accounts made by ./millrace cluster accounts "
              + folder);
    }
    return there();
  }

  /**
   * The accounts of which there are files.
   *
   * @throws IOException in one line when a file is open to others, or does not say enough
   */
  Map<KafkaPrincipal, KafkaAccount> there() throws IOException {
    Map<KafkaPrincipal, KafkaAccount> accounts = new EnumMap<>(KafkaPrincipal.class);
    Map<String, KafkaPrincipal> known = new TreeMap<>();
    for (KafkaPrincipal principal : JoinFile.principals()) {
      if (!Files.exists(file(principal))) {
        continue;
      }
      KafkaAccount account = read(file(principal));
      KafkaPrincipal other = known.put(account.principal(), principal);
      if (other != null) {
        throw new IOException(
            file(principal)
                + " and "
                + file(other).getFileName()
                + " are of the same account, "
                + account.principal()
                + ": each kind of parts needs one of its own, since the brokers' rules tell them"
                + " apart by it");
      }
      accounts.put(principal, account);
    }
    return accounts;
  }

  private static KafkaAccount read(Path file) throws IOException {
    JoinFile.checkOwnersOnly(file);
    Map<String, Object> client = new TreeMap<>(ClientSettings.read(file));
    KafkaClientFile.admitIssuers(client);
    Object named = client.remove(PRINCIPAL);
    Matcher user = USERNAME.matcher(client.getOrDefault("sasl.jaas.config", "").toString());
    if (named == null && !user.find()) {
      throw new IOException(
          file
              + " does not say whom the brokers take it for: add "
              + PRINCIPAL
              + "=NAME, for instance the certificate's CN=server,O=Site or the token's subject");
    }
    String principal = named == null ? user.group(1).replaceAll("\\\\(.)", "$1") : named.toString();
    if (principal.isBlank() || principal.startsWith("User:")) {
      throw new IOException(file + ": " + PRINCIPAL + " is a name without User: before it");
    }
    if (principal.equals("*")) {
      throw new IOException(file + ": '*' is everybody to the brokers: give one account's name");
    }
    return new KafkaAccount(principal, client);
  }
}
