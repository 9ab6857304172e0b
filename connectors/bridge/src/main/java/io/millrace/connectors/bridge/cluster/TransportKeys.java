package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.cluster.ClusterKey.ChoiceForm;
import io.millrace.connectors.bridge.cluster.ClusterKey.NumberForm;
import io.millrace.connectors.bridge.cluster.ClusterKey.TextForm;
import io.millrace.connectors.bridge.command.AccountCommands;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The keys that say where the commands of a cluster are. */
public final class TransportKeys {

  public static final String TRANSPORT = "transport";
  public static final String LOCAL = "local";
  public static final String SSH = "ssh";
  public static final String IN_CONTAINER = "container";

  public static final String HOST = "ssh_host";
  public static final String PORT = "ssh_port";
  public static final String ACCOUNT = "ssh_account";
  public static final String KEY = "ssh_key";
  public static final String KNOWN_HOSTS = "ssh_known_hosts";
  public static final String CHANNELS = "ssh_channels";

  public static final String CONTAINER = "container";
  public static final String ENGINE = "container_engine";
  public static final String ENGINE_PROGRAM = "container_program";
  public static final String ENGINE_SOCKET = "container_socket";
  public static final String ENGINE_SUDO = "container_sudo";
  public static final String INNER_ACCOUNT = "container_account";
  public static final String SFTP_SERVER = "container_sftp";
  public static final String AT_ONCE = "container_at_once";

  public static final String DOCKER = "docker";
  public static final String PODMAN = "podman";

  /** Each of them must be given for its transport. */
  private static final Map<String, List<String>> NEEDED =
      Map.of(
          SSH,
          List.of(HOST, ACCOUNT, KEY, KNOWN_HOSTS),
          IN_CONTAINER,
          List.of(CONTAINER, INNER_ACCOUNT));

  private static final String ROOT = "root";

  /** What an id is made of. */
  private static final Pattern HEX = Pattern.compile("[0-9a-f]+");

  private static final int USUAL_PORT = 22;

  /** An sshd lets one connection have 10 sessions, where nobody has said otherwise. */
  private static final int USUAL_CHANNELS = 8;

  private TransportKeys() {}

  /** All of them, in the order of the page. */
  static List<ClusterKey> all() {
    List<ClusterKey> all = new ArrayList<>();
    all.add(
        ClusterKey.with(
            TRANSPORT,
            LOCAL,
            new ChoiceForm(List.of(LOCAL, SSH, IN_CONTAINER)),
            "Where the system's commands and files are: on this host, on another one that is"
                + " reached by SSH, or in a container of this one; all paths of commands,"
                + " accounting and spool are then of that one."));
    byTransport().values().forEach(all::addAll);
    return all;
  }

  private static Map<String, List<ClusterKey>> byTransport() {
    Map<String, List<ClusterKey>> keys = new LinkedHashMap<>();
    keys.put(SSH, ofSsh());
    keys.put(IN_CONTAINER, ofContainers());
    return keys;
  }

  private static List<ClusterKey> ofSsh() {
    return List.of(
        ClusterKey.optional(
            HOST,
            new TextForm(Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:-]{0,253}"), "the name of a host"),
            "With transport = ssh, the host to go to, as its key stands in ssh_known_hosts."),
        ClusterKey.number(
            PORT, USUAL_PORT, new NumberForm(1, 65535, "port"), "With ssh, the port of its sshd."),
        ClusterKey.optional(
            ACCOUNT,
            new TextForm(AccountCommands.PLAIN_ACCOUNT, "the name of an account"),
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

  private static List<ClusterKey> ofContainers() {
    return List.of(
        ClusterKey.optional(
            CONTAINER,
            new TextForm(
                Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}"), "the name of a container"),
            "With transport = container, the container to go into: it must run, and be the same one"
                + " as long as runs of ours are in it."),
        ClusterKey.with(
            ENGINE,
            DOCKER,
            new ChoiceForm(List.of(DOCKER, PODMAN)),
            "With container, the engine that runs it."),
        ClusterKey.optional(
            ENGINE_PROGRAM,
            ClusterKeys.PATH,
            "With container, the engine's program, where it is not in /usr/bin."),
        ClusterKey.optional(
            ENGINE_SOCKET,
            ClusterKeys.PATH,
            "With container, the socket on which the engine listens, where it is not the usual one"
                + " of the account, as that of a docker without root's rights."),
        ClusterKey.with(
            ENGINE_SUDO,
            "no",
            new ChoiceForm(List.of("no", "yes")),
            "With container, whether the engine's program is started as root, by sudo, with lines"
                + " of sudo for this container alone; else the account of this process must be one"
                + " that the engine listens to, which is as good as root where the engine is"
                + " root's."),
        ClusterKey.optional(
            INNER_ACCOUNT,
            new TextForm(AccountCommands.PLAIN_ACCOUNT, "the name of an account"),
            "With container, the account in it as which questions are asked and files are read;"
                + " not root, and not the one of the container's first process."),
        ClusterKey.with(
            SFTP_SERVER,
            "/usr/lib/openssh/sftp-server",
            ClusterKeys.PATH,
            "With container, the program sftp-server of OpenSSH in it, by which files are read."),
        ClusterKey.number(
            AT_ONCE,
            USUAL_CHANNELS,
            new NumberForm(1, 64, "commands"),
            "With container, how many commands may be under way in it together."));
  }

  /** Whether the commands are in another place than this host. */
  public static boolean isFar(ClusterFile file) {
    return !LOCAL.equals(file.text(TRANSPORT));
  }

  public static boolean isSsh(ClusterFile file) {
    return SSH.equals(file.text(TRANSPORT));
  }

  public static boolean isInContainer(ClusterFile file) {
    return IN_CONTAINER.equals(file.text(TRANSPORT));
  }

  /** The account as which commands are started there; empty for that of this process. */
  static Optional<String> account(ClusterFile file) {
    return file.given(ACCOUNT).or(() -> file.given(INNER_ACCOUNT));
  }

  /** The place where commands are started, as it is said. */
  static String place(ClusterFile file) {
    return isSsh(file) ? "on " + file.text(HOST) : "in container " + file.text(CONTAINER);
  }

  /**
   * What is wrong with values that do not go together; empty for nothing.
   *
   * @param given the keys that were given; others have usual values
   */
  static Optional<String> unfit(Map<String, String> values, Set<String> given) {
    String transport = values.get(TRANSPORT);
    for (Map.Entry<String, List<ClusterKey>> each : byTransport().entrySet()) {
      List<String> needless =
          each.getValue().stream().map(ClusterKey::name).filter(given::contains).toList();
      if (!each.getKey().equals(transport) && !needless.isEmpty()) {
        return Optional.of(
            String.join(", ", needless)
                + (needless.size() == 1 ? " needs" : " need")
                + " transport = "
                + each.getKey());
      }
    }
    for (String key : NEEDED.getOrDefault(transport, List.of())) {
      if (!values.containsKey(key)) {
        return Optional.of("transport = " + transport + " needs '" + key + "'");
      }
    }
    return unfit(transport, values);
  }

  private static Optional<String> unfit(String transport, Map<String, String> values) {
    if (ClusterKeys.ENGINE.equals(values.get(ClusterKeys.AS)) && !IN_CONTAINER.equals(transport)) {
      return Optional.of("as = engine needs transport = container");
    }
    if (ROOT.equals(values.get(INNER_ACCOUNT))) {
      return Optional.of(
          "container_account = root is not possible: nothing is started as root there; name an"
              + " account that may ask and read");
    }
    String container = values.getOrDefault(CONTAINER, "");
    if ("yes".equals(values.get(ENGINE_SUDO)) && HEX.matcher(container).matches()) {
      return Optional.of(
          "container = "
              + container
              + " may be taken for the begin of another one's id, which container_sudo = yes does"
              + " not see before; give it a name with other letters");
    }
    return ClusterFile.RESERVE.equals(values.get(ClusterFile.MODE)) && !LOCAL.equals(transport)
        ? Optional.of(
            "mode = reserve is not possible with transport = "
                + transport
                + ": it writes files for qconf here")
        : Optional.empty();
  }
}
