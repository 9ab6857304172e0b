package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.FollowedFiles;
import io.millrace.schemas.pbs.schedconfig.InputSource;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.input.PolicyInputs;
import java.util.List;
import java.util.Map;

/** The folder whose files a scheduler object with a sched_config follows. */
final class FollowedFolderRules {

  private FollowedFolderRules() {}

  /**
   * Refuses a folder that cannot be followed, and sets what shards read from it. Where another
   * policy is chosen the folder is forgotten.
   */
  static void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    String folder = attributes.getOrDefault(AttributeTable.POLICY_FOLDER, "");
    if (folder.isEmpty()) {
      return;
    }
    String text = attributes.getOrDefault(AttributeTable.SCHED_CONFIG, "");
    if (!attributes.getOrDefault("policy", "").equals(AttributeTable.SCHED_CONFIG)) {
      if (!folder.equals(Context.attribute(before, AttributeTable.POLICY_FOLDER, ""))) {
        throw refused("only where policy is sched_config are files of a folder followed");
      }
      attributes.remove(AttributeTable.POLICY_FOLDER);
      return;
    }
    if (!folder.startsWith("/") || folder.chars().anyMatch(Character::isISOControl)) {
      throw refused("it is no absolute path");
    }
    List<InputSource> files = FollowedFiles.sources(text, folder);
    if (files.isEmpty()) {
      throw refused("none of " + String.join(", ", FollowedFiles.NAMES) + " was loaded");
    }
    Map<String, String> loaded = StoredPolicy.split(text);
    int most = PolicyInputs.most(InputSource.InputKind.FILE);
    for (String name : FollowedFiles.NAMES) {
      if (loaded.getOrDefault(name, "").length() > most) {
        throw refused(name + " has more than " + most + " characters");
      }
    }
    attributes.put(AttributeTable.POLICY_INPUTS_FROM, InputSource.text(files));
  }

  private static RejectedChange refused(String why) {
    return new RejectedChange(
        PbsError.ILLEGAL_VALUE, ": " + AttributeTable.POLICY_FOLDER + ": " + why);
  }
}
