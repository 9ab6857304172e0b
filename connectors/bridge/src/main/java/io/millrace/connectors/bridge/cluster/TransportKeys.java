package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.cluster.ClusterKey.ChoiceForm;
import io.millrace.connectors.bridge.cluster.ClusterKey.NumberForm;
import io.millrace.connectors.bridge.cluster.ClusterKey.TextForm;
import io.millrace.connectors.bridge.system.RunWrapper;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The keys that say on which host the commands of a cluster are. */
public final class TransportKeys {

  public static final String TRANSPORT = "transport";
  public static final String LOCAL = "local";
  public static final String SSH = "ssh";

  public static final String HOST = "ssh_host";
  public static final String PORT = "ssh_port";
  public static final String ACCOUNT = "ssh_account";
  public static final String KEY = "ssh_key";
  public static final String KNOWN_HOSTS = "ssh_known_hosts";
  public static final String CHANNELS = "ssh_channels";

  /** Each of them must be given for SSH. */
  private static final List<String> NEEDED = List.of(HOST, ACCOUNT, KEY, KNOWN_HOSTS);

  private static final int USUAL_PORT = 22;

  /** An sshd lets one connection have 10 sessions, where nobody has said otherwise. */
  private static final int USUAL_CHANNELS = 8;

  private TransportKeys() {}

  /** All of them, in the order of the page. */
  static List<ClusterKey> all() {
    return List.of(
        ClusterKey.with(
            TRANSPORT,
            LOCAL,
            new ChoiceForm(List.of(LOCAL, SSH)),
            "Where the system's commands and files are: on this host, or on another one that is"
                + " reached by SSH; all paths of commands, accounting and spool are then of that"
                + " one."),
        ClusterKey.optional(
            HOST,
            new TextForm(Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:-]{0,253}"), "the name of a host"),
            "With transport = ssh, the host to go to, as its key stands in ssh_known_hosts."),
        ClusterKey.number(
            PORT, USUAL_PORT, new NumberForm(1, 65535, "port"), "With ssh, the port of its sshd."),
        ClusterKey.optional(
            ACCOUNT,
            new TextForm(RunWrapper.PLAIN_ACCOUNT, "the name of an account"),
            "With ssh, the account there that all commands are started as; its login shell must"
                + " be one like /bin/sh."),
        ClusterKey.optional(
            KEY,
            ClusterKeys.PATH,
            "With ssh, the file here with the private key of that account: of this process's"
                + " account, of mode 0600 and without a passphrase; a certificate of it is read"
                + " from the file beside it with -cert.pub behind its name."),
        ClusterKey.optional(
            KNOWN_HOSTS,
            ClusterKeys.PATH,
            "With ssh, the file here with the key of the host, in the form of known_hosts; a host"
                + " that it does not have, or whose key is another, is not spoken to."),
        ClusterKey.number(
            CHANNELS,
            USUAL_CHANNELS,
            new NumberForm(2, 64, "channels"),
            "With ssh, how many channels the one connection may have at once: one for files, the"
                + " others for commands; no more than MaxSessions of the sshd."));
  }

  /** Whether the commands are on another host. */
  public static boolean isSsh(ClusterFile file) {
    return isSsh(file.values());
  }

  static boolean isSsh(Map<String, String> values) {
    return SSH.equals(values.get(TRANSPORT));
  }

  /**
   * What is wrong with values that do not go together; empty for nothing.
   *
   * @param given the keys that were given; others have usual values
   */
  static Optional<String> unfit(Map<String, String> values, Set<String> given) {
    if (!isSsh(values)) {
      List<String> needless =
          all().stream()
              .map(ClusterKey::name)
              .filter(it -> !it.equals(TRANSPORT) && given.contains(it))
              .toList();
      return Optional.of(needless)
          .filter(it -> !it.isEmpty())
          .map(
              it ->
                  String.join(", ", it)
                      + (it.size() == 1 ? " needs" : " need")
                      + " transport = ssh");
    }
    for (String key : NEEDED) {
      if (!values.containsKey(key)) {
        return Optional.of("transport = ssh needs '" + key + "'");
      }
    }
    return ClusterFile.RESERVE.equals(values.get(ClusterFile.MODE))
        ? Optional.of(
            "mode = reserve is not possible with transport = ssh: it writes files for qconf here")
        : Optional.empty();
  }
}
