package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.cluster.ClusterKey.ChoiceForm;
import io.millrace.connectors.bridge.cluster.ClusterKey.NumberForm;
import io.millrace.connectors.bridge.cluster.ClusterKey.TextForm;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.system.RunWrapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The keys that each cluster file has, whatever its system. */
public final class ClusterKeys {

  public static final TextForm PATH =
      new TextForm(
          RunWrapper.PLAIN_PATH,
          "an absolute path of letters, digits, dots, hyphens and underscores");

  /** Who listens somewhere. */
  public static final TextForm LISTENER =
      new TextForm(
          Pattern.compile("[a-z_][a-z0-9_.-]{0,31}|[0-9]{1,10}"),
          "the name of an account, or its number");

  /** Begin of the keys of users, behind which stands whose it is. */
  public static final String USER = "user.";

  /** Begin of the keys of resources, behind which stands what they are called here. */
  public static final String RESOURCE = "resource.";

  private static final String SPOOL = "spool";
  static final String AS = "as";
  static final String ENGINE = "engine";
  private static final String SUDO = "sudo";
  static final String STARTER = "starter";
  static final String OUTPUT_MOST = "output_most_mib";
  private static final String WAITING_MOST = "waiting_most";
  private static final String WAITING_MOST_ACCOUNT = "waiting_most_account";

  private static final String SUBMISSIONS_AT_ONCE = "submissions_at_once";

  /** The key that says how long folders of runs are kept, in days. */
  public static final String KEEP_DAYS = "keep_days";

  public static final int KEEP_DAYS_USUAL = 7;

  /** Keys that say nothing of a cluster without runs of ours. */
  private static final Set<String> OF_RUNS =
      Set.of(
          SPOOL,
          AS,
          SUDO,
          STARTER,
          ClusterFile.QUEUE,
          WAITING_MOST,
          WAITING_MOST_ACCOUNT,
          SUBMISSIONS_AT_ONCE,
          KEEP_DAYS,
          USER);

  private static final Pattern RESOURCE_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  /** Each host is known to have these, and what a walltime is each system knows. */
  private static final Set<String> OF_EACH_HOST = Set.of("ncpus", "mem", "walltime");

  private static final Pattern USER_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._@-]{0,254}");

  private static final String SECONDS = "seconds";

  private ClusterKeys() {}

  /** Whether a key says nothing of a cluster that is only observed. */
  public static boolean isOfRuns(ClusterKey key) {
    return OF_RUNS.contains(key.name());
  }

  /** Whether this is the key of a user. */
  public static boolean isUser(String key) {
    return key.startsWith(USER) && USER_NAME.matcher(key.substring(USER.length())).matches();
  }

  /** Whether this is the key of a resource. */
  public static boolean isResource(String key) {
    String name = key.startsWith(RESOURCE) ? key.substring(RESOURCE.length()) : "";
    return RESOURCE_NAME.matcher(name).matches() && !OF_EACH_HOST.contains(name);
  }

  /** Whether a key of a file is one of these keys, of which some have a name behind their dot. */
  public static boolean isOf(String name, ClusterKey key) {
    return switch (key.name()) {
      case USER -> isUser(name);
      case RESOURCE -> isResource(name);
      default -> name.equals(key.name());
    };
  }

  /**
   * The key of resources that hosts of a system have beside processors and memory.
   *
   * @param calls what the system calls them
   */
  public static ClusterKey resources(ClusterKey.ClusterKeyForm calls, String sentence) {
    return ClusterKey.optional(
        RESOURCE,
        calls,
        "What a resource here, whose name stands behind the dot, is there: its amounts on hosts and"
            + " those that other jobs hold are known then, and jobs that ask for it here ask for it"
            + " there. "
            + sentence);
  }

  /** All of them, in the order of the page. */
  public static List<ClusterKey> common(List<String> systems) {
    List<ClusterKey> keys =
        new ArrayList<>(
            List.of(
                ClusterKey.required(
                    "name",
                    new TextForm(
                        Pattern.compile("[a-z][a-z0-9-]{0,14}"),
                        "a small letter and up to 14 small letters, digits and hyphens"),
                    "The id of the cluster here; it stands in the tags of its jobs, so that it must"
                        + " stay."),
                ClusterKey.required(
                    "system", new ChoiceForm(systems), "What decides there which job runs when."),
                mode(),
                ClusterKey.with(
                    "commands",
                    "/usr/bin",
                    PATH,
                    "The folder of the system's commands, where they are not in the usual place."),
                ClusterKey.with(
                    AS,
                    "self",
                    new ChoiceForm(List.of("self", "sudo", ENGINE)),
                    "Whether all jobs are of the account that reads this file, or each of its"
                        + " user's account, by sudo, or by the engine of transport = container."),
                ClusterKey.with(
                    SUDO, "/usr/bin/sudo", PATH, "The program sudo, where it is in another place."),
                ClusterKey.optional(
                    STARTER,
                    PATH,
                    "The program millrace-outside, where sudo starts nothing but that in the names"
                        + " of accounts: one line of sudo then does for all commands."),
                ClusterKey.required(
                    SPOOL,
                    PATH,
                    "A folder that all hosts of the cluster see, with a folder of its own for each"
                        + " account; runs take their claims there."),
                ClusterKey.number(
                    "command_limit_s",
                    20,
                    new NumberForm(1, 600, SECONDS),
                    "After this time a command counts as not answered; more for a slow master."),
                ClusterKey.number(
                    OUTPUT_MOST,
                    256,
                    new NumberForm(1, 1024, "MiB"),
                    "What a command may print, as far as an eighth of the heap keeps it packed, and of an"
                        + " answer over HTTP as it is; more for clusters with very many jobs."),
                ClusterKey.number(
                    "clock_skew_s",
                    5,
                    new NumberForm(1, 3600, SECONDS),
                    "By how much the clock there may differ from the one here.")));
    keys.addAll(ofRuns());
    keys.addAll(TransportKeys.all());
    return keys;
  }

  private static ClusterKey mode() {
    return ClusterKey.with(
        ClusterFile.MODE,
        ClusterFile.FORWARD,
        new ChoiceForm(
            List.of(
                ClusterFile.FORWARD, ClusterFile.PLACE, ClusterFile.RESERVE, ClusterFile.OBSERVE)),
        "Whether jobs are submitted there, for any host (forward) or for the one that"
            + " was chosen here (place), or in reservations of its hosts only (reserve,"
            + " of a Grid Engine); both need queue. Or its jobs and hosts are shown"
            + " here and nothing else (observe); then spool, accounts and all that is"
            + " about runs say nothing.");
  }

  /** Those about runs and users. */
  private static List<ClusterKey> ofRuns() {
    return List.of(
        ClusterKey.optional(
            ClusterFile.QUEUE,
            new TextForm(
                Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}"),
                "a name of letters, digits, dots, hyphens and underscores"),
            "The queue or partition there, where it is not the usual one; with mode = place one"
                + " that has no other jobs, with mode = reserve the one that the queues of"
                + " reservations are like."),
        ClusterKey.number(
            WAITING_MOST,
            500,
            new NumberForm(1, 100_000, "runs"),
            "How many runs may wait there at once; the others wait here."),
        ClusterKey.number(
            WAITING_MOST_ACCOUNT,
            200,
            new NumberForm(1, 100_000, "runs"),
            "The same for each account."),
        ClusterKey.number(
            SUBMISSIONS_AT_ONCE,
            4,
            new NumberForm(1, 32, "submissions"),
            "How many submissions may be under way together; more for a fast master, 1 for one"
                + " that is not to be hurried."),
        ClusterKey.number(
            KEEP_DAYS,
            KEEP_DAYS_USUAL,
            new NumberForm(1, 3650, "days"),
            "How long the folder of a run is kept in the spool after its end, with what it could"
                + " not bring to its place; less where the spool is small."),
        ClusterKey.required(
            USER,
            new TextForm(AccountCommands.PLAIN_ACCOUNT, "the name of an account"),
            "The account there of a user here, whose name stands behind the dot; users without a"
                + " line have none."));
  }
}
