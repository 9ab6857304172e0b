package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.core.decision.Context;
import java.util.Map;

/** The folder whose files a scheduler object with a sched_config follows. */
final class FollowedFolderRules {

  private FollowedFolderRules() {}

  /** Refuses a folder that cannot be followed; another policy than sched_config follows none. */
  static void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    String folder = attributes.getOrDefault(AttributeTable.POLICY_FOLDER, "");
    boolean followed =
        !folder.isEmpty()
            && attributes.getOrDefault("policy", "").equals(AttributeTable.SCHED_CONFIG);
    if (!followed) {
      boolean asked = !folder.equals(Context.attribute(before, AttributeTable.POLICY_FOLDER, ""));
      if (!folder.isEmpty() && asked) {
        throw refused("only where policy is sched_config are files of a folder followed");
      }
      attributes.remove(AttributeTable.POLICY_FOLDER);
      attributes.remove(AttributeTable.POLICY_PROBLEM);
    } else if (!folder.startsWith("/") || folder.chars().anyMatch(Character::isISOControl)) {
      throw refused("it is no absolute path");
    }
  }

  private static RejectedChange refused(String why) {
    return new RejectedChange(
        PbsError.ILLEGAL_VALUE, ": " + AttributeTable.POLICY_FOLDER + ": " + why);
  }
}
