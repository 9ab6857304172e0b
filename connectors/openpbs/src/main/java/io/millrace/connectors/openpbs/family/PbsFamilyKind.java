package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the cluster files of all systems of the PBS family have in common. */
public abstract class PbsFamilyKind implements OutsideKind {

  public static final String ACCOUNTING = "accounting";
  public static final String SERVER = "server";
  public static final String HOOK_FILE = "hook_file";

  private final String otherEnds;
  private final ClusterKey resources;

  /**
   * @param otherEnds what ends are read from where no accounting is, as the end of a sentence
   * @param resources the key of its resources
   */
  protected PbsFamilyKind(String otherEnds, ClusterKey resources) {
    this.otherEnds = otherEnds;
    this.resources = resources;
  }

  /** Keys that only one of them has. */
  protected List<ClusterKey> moreKeys() {
    return List.of();
  }

  @Override
  public final List<ClusterKey> keys() {
    List<ClusterKey> keys = new ArrayList<>(common());
    keys.addAll(moreKeys());
    return keys;
  }

  private List<ClusterKey> common() {
    return List.of(
        ClusterKey.required(
            SERVER,
            new ClusterKey.TextForm(
                Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,254}"),
                "a name of letters, digits, dots and hyphens"),
            "The server as it stands behind the dot in numbers of jobs, so that no job goes to"
                + " another one."),
        ClusterKey.optional(
            ACCOUNTING,
            ClusterKeys.PATH,
            "The folder of the server's accounting files, from which begins are known too; without"
                + " it ends are read from the "
                + otherEnds),
        resources);
  }

  @Override
  public final List<String> programs() {
    return List.of("qsub", "qstat", "qdel", "qhold", "qrls", "qalter", "qsig", "pbsnodes");
  }

  @Override
  public final List<String> programsOfAccounts() {
    return List.of("qsub", "qdel", "qhold", "qrls", "qalter", "qsig", "qstat");
  }
}
