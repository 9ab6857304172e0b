package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.http.HostPort;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** OAR, as a cluster file calls it. */
public final class OarKind implements OutsideKind {

  static final String URL = "url";
  static final String URL_ACCOUNT = "url_account";
  static final String CREDENTIALS = "credentials";
  static final String IDENTITY = "identity";
  static final String BY_PASSWORD = "password";
  static final String CERTIFICATES = "certificates";
  static final String PROJECT = "project";
  static final String SLOT = "slot";
  static final String ENDS = "ends_h";

  /** The property that each resource has, and that the API calls id. */
  static final String RESOURCE = "resource_id";

  private static final String BEST_EFFORT = "best_effort";
  private static final String YES = "yes";
  private static final String OF_CAMPAIGNS = "campaigns";

  private static final Pattern ADDRESS =
      Pattern.compile("https?://[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?(/[A-Za-z0-9._-]+)*");

  @Override
  public String name() {
    return "oar";
  }

  @Override
  public List<ClusterKey> keys() {
    return List.of(
        ClusterKey.required(
            URL,
            new ClusterKey.TextForm(ADDRESS, "an address as https://oar.example.org:6669/oarapi"),
            "The address of its REST API: https, or http on this host, since passwords go there."),
        ClusterKey.optional(
            URL_ACCOUNT,
            ClusterKeys.LISTENER,
            "With url in http and a port from 1024 on, the account that its web server runs as,"
                + " such as www-data, where that is neither root nor this one: while it is away"
                + " anybody of this host may have its port, and is sent nothing."),
        ClusterKey.required(
            CREDENTIALS,
            ClusterKeys.PATH,
            "A file of mode 0600 with lines NAME:PASSWORD for its web server; the first name asks"
                + " what anybody may ask."),
        ClusterKey.with(
            IDENTITY,
            BY_PASSWORD,
            new ClusterKey.ChoiceForm(List.of(BY_PASSWORD, "header")),
            "Whether each account has a password there, or the first name is trusted to say, in the"
                + " header X-Remote-Ident, whose job it is."),
        ClusterKey.optional(
            CERTIFICATES,
            ClusterKeys.PATH,
            "The certificates, in PEM, by which the https of its web server is known, where the"
                + " usual ones do not do."),
        ClusterKey.with(
            BEST_EFFORT,
            OF_CAMPAIGNS,
            new ClusterKey.ChoiceForm(List.of("no", YES, OF_CAMPAIGNS)),
            "Whether all jobs are of the type besteffort, which OAR kills when others need the"
                + " place, or those of campaigns of the type best-effort."),
        ClusterKey.with(
            SLOT,
            RESOURCE,
            new ClusterKey.TextForm(
                Pattern.compile("[a-z_][a-z0-9_]{0,30}"),
                "a name of small letters, digits and underscores"),
            "The property of resources of which each value is a processor, such as core where"
                + " resources are threads."),
        ClusterKey.optional(
            PROJECT,
            new ClusterKey.TextForm(
                Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}"),
                "a name of letters, digits, dots, hyphens and underscores"),
            "The project of all jobs, where OAR's fair sharing counts by it."),
        ClusterKey.number(
            ENDS,
            24,
            new ClusterKey.NumberForm(1, 8760, "hours"),
            "How far back ends of jobs are looked for after a start; more where it can be away for"
                + " longer."));
  }

  /** Whether all jobs are. */
  static boolean isBestEffort(ClusterFile file) {
    return file.text(BEST_EFFORT).equals(YES);
  }

  /**
   * Whether a job is.
   *
   * @param variables the job's
   */
  static boolean isBestEffort(ClusterFile file, Map<String, String> variables) {
    boolean campaigns = file.text(BEST_EFFORT).equals(OF_CAMPAIGNS);
    return isBestEffort(file) || campaigns && "best-effort".equals(variables.get("CIGRI_TYPE"));
  }

  @Override
  public Optional<String> unfit(Map<String, String> values) {
    if ("place".equals(values.get("mode"))) {
      return Optional.of(
          "mode = place is not possible with oar, whose queues have no hosts of their own");
    }
    if (values.containsKey("starter")) {
      return Optional.of(
          "starter is not possible with oar, of whose commands none is started in the names of"
              + " accounts");
    }
    String url = values.getOrDefault(URL, "");
    return HostPort.unfit(URL, url, URL_ACCOUNT, values.containsKey(URL_ACCOUNT), "passwords");
  }

  @Override
  public OutsideSystem open(ClusterFile file, CommandRunner runner) {
    return new OarSystem(file, runner, new OarDoor(file));
  }

  /** Of the system itself none is needed here; this one writes scripts. */
  @Override
  public List<String> programs() {
    return List.of("dd");
  }

  @Override
  public List<String> programsOfAccounts() {
    return programs();
  }

  @Override
  public List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException {
    OarExchange door = new OarDoor(file);
    return new OarCheck(file, door, new OarSystem(file, runner, door)).lines();
  }
}
