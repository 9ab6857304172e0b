package io.millrace.ops.home;

import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostKeyFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of the hosts that may have executors. Each has a key, which the shards know by its file
 * in {@code etc/hosts}, and client settings with that key, which are all that its executor needs.
 * The executors of this home are one principal, {@code executor}; each other host is a principal of
 * its own. A host that was revoked leaves a mark.
 */
public final class HostFiles {

  private static final String REVOKED = HostKeyFolder.REVOKED;

  /** Names of client settings with which somebody logs in. */
  private static final Pattern LOGIN =
      Pattern.compile("sasl\\.jaas\\.config|ssl\\.keystore\\..*|ssl\\.key\\..*");

  private static final Pattern USER = Pattern.compile("\\busername=\"([^\"]+)\"");

  private static final Pattern KEY_LINE =
      Pattern.compile("(?m)^[ \\t]*" + Pattern.quote(HostKey.PROPERTY) + "[ \\t]*[=:].*$");

  private HostFiles() {}

  /** Name of the Kafka principal of another host. */
  public static String principal(String host) {
    return KafkaPrincipal.EXECUTOR.text() + "-" + host;
  }

  /** Whether a principal of this name is another host's. */
  public static boolean isPrincipal(String name) {
    return name.startsWith(principal(""));
  }

  /** Whether a principal of this name is an outside cluster's, which is kept as a host @CLUSTER. */
  public static boolean isCluster(String name) {
    return name.startsWith(principal("@"));
  }

  /** Makes the files of a host of this home, unless they are as they should be. */
  public static void ensureOwn(Home home, String host) throws IOException {
    Path key = HostKeyFolder.file(home.hostKeys(), host);
    if (!Files.exists(key) || Files.exists(home.hostSecret())) {
      writeKey(home, host);
    }
    writeOwn(home, host);
  }

  /** Gives a host of this home a new key. */
  public static void renewOwn(Home home, String host) throws IOException {
    if (Files.exists(home.hostSecret())) {
      throw new IOException(
          home.root()
              + " has joined a cluster, whose homes make the keys of hosts of one secret: "
              + host
              + " has no other");
    }
    writeKey(home, host);
    writeOwn(home, host);
    Files.deleteIfExists(mark(home, host));
  }

  /**
   * Gives another host a new key and, at the home's own broker, a new password. On another cluster
   * its login is the administrator's: the key alone is changed in a file that he has edited, and a
   * new one has no login, as that of the executors here is not for other hosts.
   */
  public static void make(Home home, String host) throws IOException {
    String key = writeKey(home, host);
    if (ClusterSettings.read(home).isEmbedded()) {
      writeOther(home, host, ClientSettings.newPassword(new SecureRandom()), key);
    } else {
      writeElsewhere(home, host, key);
    }
    Files.deleteIfExists(mark(home, host));
  }

  private static void writeElsewhere(Home home, String host, String key) throws IOException {
    Path file = home.hostClient(host);
    String line = HostKey.PROPERTY + "=" + key;
    if (!Files.exists(file)) {
      Map<String, Object> settings = ClientSettings.read(home.client(KafkaPrincipal.EXECUTOR));
      settings.keySet().removeIf(name -> LOGIN.matcher(name).matches());
      write(home, host, text(host, settings) + line + "\n");
      return;
    }
    String text = Files.readString(file);
    Matcher before = KEY_LINE.matcher(text);
    String changed =
        before.find()
            ? before.replaceAll(line)
            : text + (text.endsWith("\n") ? "" : "\n") + line + "\n";
    write(home, host, changed);
  }

  /** Whether a host's file lacks the login that the executors here need. */
  public static boolean lacksLogin(Home home, String host) throws IOException {
    return hasLogin(home.client(KafkaPrincipal.EXECUTOR)) && !hasLogin(home.hostClient(host));
  }

  private static boolean hasLogin(Path client) throws IOException {
    return ClientSettings.read(client).keySet().stream()
        .anyMatch(name -> LOGIN.matcher(name).matches());
  }

  /** As whom the executor of a host logs in; empty when its file names nobody. */
  public static Optional<String> login(Home home, String host) throws IOException {
    Path client = home.hostClient(host);
    Object login =
        Files.exists(client) ? ClientSettings.read(client).get("sasl.jaas.config") : null;
    Matcher user = USER.matcher(login == null ? "" : login.toString());
    return user.find() ? Optional.of(user.group(1)) : Optional.empty();
  }

  /** Takes key and password back; the mark goes first, so that no broker lets it in again. */
  public static void revoke(Home home, String host) throws IOException {
    SmallFile.write(mark(home, host), "", "rw-------");
    Files.deleteIfExists(HostKeyFolder.file(home.hostKeys(), host));
    Files.deleteIfExists(home.hostClient(host));
    SmallFile.force(home.hostKeys());
  }

  public static boolean isRevoked(Home home, String host) {
    return Files.exists(mark(home, host));
  }

  /** Hosts with a key. */
  public static List<String> admitted(Home home) throws IOException {
    return names(home.hostKeys(), HostKeyFolder.SUFFIX);
  }

  /** Hosts that were revoked. */
  public static List<String> revoked(Home home) throws IOException {
    return names(home.hostKeys(), REVOKED);
  }

  /** The file whose time says since when a host is admitted, or revoked. */
  public static Path since(Home home, String host) {
    return isRevoked(home, host) ? mark(home, host) : HostKeyFolder.file(home.hostKeys(), host);
  }

  /** Whether the executor of a host logs in as a principal of its own. */
  public static boolean isOther(Home home, String host) throws IOException {
    Path client = home.hostClient(host);
    return Files.exists(client) && !isOwn(client);
  }

  /** Principals of other hosts, with their passwords; whom nobody knows may not log in. */
  public static Map<String, String> passwords(Home home) throws IOException {
    Map<String, String> passwords = new TreeMap<>();
    for (String host : admitted(home)) {
      if (isOther(home, host)) {
        passwords.put(principal(host), ClientSettings.password(home.hostClient(host)));
      }
    }
    for (String host : revoked(home)) {
      passwords.put(principal(host), ClientSettings.newPassword(new SecureRandom()));
    }
    return passwords;
  }

  /**
   * Brings the settings of all hosts up to date: the principal's password of those here, the
   * broker's address and certificate of the others.
   *
   * @return other hosts whose settings have changed
   */
  public static List<String> refresh(Home home) throws IOException {
    List<String> changed = new ArrayList<>();
    for (String host : admitted(home)) {
      Path client = home.hostClient(host);
      if (!Files.exists(client)) {
        continue;
      }
      if (isOwn(client)) {
        writeOwn(home, host);
      } else {
        String key = Files.readString(HostKeyFolder.file(home.hostKeys(), host)).strip();
        if (writeOther(home, host, ClientSettings.password(client), key)) {
          changed.add(host);
        }
      }
    }
    return changed;
  }

  private static boolean isOwn(Path client) throws IOException {
    Object login = ClientSettings.read(client).get("sasl.jaas.config");
    return login == null || !login.toString().contains("\"" + principal(""));
  }

  /**
   * The key before is good for a while, unless it was taken back. In a home that has joined a
   * cluster a host has the key that all homes know.
   */
  private static String writeKey(Home home, String host) throws IOException {
    Path file = HostKeyFolder.file(home.hostKeys(), host);
    if (Files.exists(home.hostSecret())) {
      String secret = Files.readString(home.hostSecret()).strip();
      String shared = HostKey.sharedText(secret, HostKey.of(host, secret).host());
      SmallFile.write(file, shared + "\n", "rw-------");
      return shared;
    }
    boolean renews = Files.exists(file) && !isRevoked(home, host);
    String before = renews ? Files.readString(file).strip() : "";
    // Refuses what is no name.
    String text = HostKey.renewedText(host, before, new SecureRandom(), Instant.now());
    Files.createDirectories(home.hostKeys());
    SmallFile.write(file, text + "\n", "rw-------");
    return text;
  }

  private static void writeOwn(Home home, String host) throws IOException {
    String key = Files.readString(HostKeyFolder.file(home.hostKeys(), host)).strip();
    String text =
        "# Of the executor of host "
            + host
            + "; made from executor.properties, do not edit.\n"
            + Files.readString(home.client(KafkaPrincipal.EXECUTOR)).stripTrailing()
            + "\n"
            + HostKey.PROPERTY
            + "="
            + key
            + "\n";
    write(home, host, text);
  }

  private static boolean writeOther(Home home, String host, String password, String key)
      throws IOException {
    ClusterSettings cluster = ClusterSettings.read(home);
    Map<String, Object> settings = ClientSettings.read(home.client(KafkaPrincipal.EXECUTOR));
    settings.put("sasl.jaas.config", ClientSettings.login(principal(host), password));
    if (!cluster.embedded().listen().isEmpty()) {
      settings.put(
          "bootstrap.servers", cluster.embedded().listen() + ":" + cluster.embedded().outside());
      settings.put("security.protocol", "SASL_SSL");
      settings.put("ssl.truststore.type", "PEM");
      settings.put("ssl.truststore.certificates", Files.readString(home.listenerCertificate()));
    }
    settings.put(HostKey.PROPERTY, key);
    return write(home, host, text(host, settings));
  }

  private static String text(String host, Map<String, Object> settings) {
    return "# For the executor of host "
        + host
        + " and no other.\n"
        + ClientSettings.text(settings);
  }

  /** Whether it was not there already. */
  private static boolean write(Home home, String host, String text) throws IOException {
    Path file = home.hostClient(host);
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return false;
    }
    Files.createDirectories(file.getParent());
    SmallFile.write(file, text, "rw-------");
    return true;
  }

  private static Path mark(Home home, String host) {
    return home.hostKeys().resolve(host + REVOKED);
  }

  private static List<String> names(Path folder, String suffix) throws IOException {
    List<String> names = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return names;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + suffix)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        names.add(name.substring(0, name.length() - suffix.length()));
      }
    }
    names.sort(null);
    return names;
  }
}
