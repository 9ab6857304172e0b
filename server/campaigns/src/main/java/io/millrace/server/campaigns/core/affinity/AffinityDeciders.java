package io.millrace.server.campaigns.core.affinity;

import io.millrace.schemas.campaign.AffinitySet;
import io.millrace.schemas.campaign.SetAffinity;
import io.millrace.schemas.campaign.UserAffinity;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.List;
import java.util.Optional;

/** Decides which affinities of users and clusters are set. Changes nothing. */
public final class AffinityDeciders {

  /** The greatest, and the least with a minus. */
  public static final int MOST = 1_000;

  /** So many are set at a time, of all users and clusters. */
  static final int ALL_MAX = 10_000;

  private static final int NAME_MAX = 255;

  private final CampaignTable table;

  public AffinityDeciders(CampaignTable table) {
    this.table = table;
  }

  /** How far a user is before others on a cluster; 0: as all are. */
  public static int of(CampaignTable table, String user, String cluster) {
    UserAffinity set = (UserAffinity) table.get(CampaignKeys.affinity(user, cluster));
    return set == null ? 0 : set.getAffinity();
  }

  private int before(SetAffinity command) {
    return of(table, command.getUser(), command.getCluster());
  }

  private Optional<PbsError> refused(SetAffinity command) {
    CommandMeta meta = command.getMeta();
    boolean manager = meta.getRole() == Role.MANAGER;
    boolean back =
        meta.getPrincipal().equals(command.getUser()) && command.getAffinity() <= before(command);
    if (!manager && !back) {
      return Optional.of(PbsError.UNAUTHORIZED);
    }
    return wrong(command).isEmpty() ? Optional.empty() : Optional.of(PbsError.ILLEGAL_VALUE);
  }

  private String wrong(SetAffinity command) {
    if (!isName(command.getUser()) || !isName(command.getCluster())) {
      return "a name of a user or cluster has 1 to " + NAME_MAX + " characters, and no blank";
    }
    if (Math.abs((long) command.getAffinity()) > MOST) {
      return "an affinity is from -" + MOST + " to " + MOST;
    }
    int[] all = {0};
    if (command.getAffinity() != 0 && before(command) == 0) {
      table.scan(CampaignKeys.AFFINITIES, it -> all[0]++);
    }
    return all[0] >= ALL_MAX ? ALL_MAX + " affinities are set, and no more may be" : "";
  }

  private static boolean isName(String text) {
    return text.matches("[^\\s\\p{Cc}/]{1," + NAME_MAX + "}");
  }

  /** The fact; none when nothing changes. */
  public Optional<AffinitySet> decide(SetAffinity command, long nowMs) {
    boolean same = before(command) == command.getAffinity();
    return same || refused(command).isPresent()
        ? Optional.empty()
        : Optional.of(
            new AffinitySet(
                nowMs,
                command.getUser(),
                command.getCluster(),
                command.getAffinity(),
                command.getMeta().getPrincipal()));
  }

  public Reply answer(SetAffinity command) {
    CommandMeta meta = command.getMeta();
    PbsError refused = refused(command).orElse(null);
    if (refused == null) {
      return new Reply(meta.getId(), 0, List.of(""), false);
    }
    boolean own = meta.getPrincipal().equals(command.getUser());
    String line =
        refused == PbsError.ILLEGAL_VALUE
            ? wrong(command)
            : own
                ? "your affinity there is " + before(command) + "; only managers raise it"
                : "only managers set the affinity of another user";
    return new Reply(meta.getId(), refused.code(), List.of(line), false);
  }
}
