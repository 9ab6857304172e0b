package io.millrace.server.campaigns.ask;

import io.millrace.schemas.campaign.AdmissionRules;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.request.OwnerGroups;
import java.util.List;

/** Groups of a campaign's owner, for admission rules. */
public final class AdmissionGroups {

  private AdmissionGroups() {}

  /**
   * The caller's groups; null when there are no rules: the directory may be slow.
   *
   * @throws Failure when the directory did not answer: a rule may keep a group out
   */
  public static List<String> of(Call call, DoorCall door) throws Failure, InterruptedException {
    boolean rules =
        door.list("/admission", AdmissionRules.class).stream()
            .anyMatch(it -> !it.getRules().isEmpty());
    if (!rules) {
      return null;
    }
    String user = call.invocation().user();
    List<String> groups = OwnerGroups.all(user);
    if (groups == null) {
      throw call.failure(
          "the groups of " + user + " cannot be found out now", DoorCall.UNREACHABLE);
    }
    return groups;
  }
}
