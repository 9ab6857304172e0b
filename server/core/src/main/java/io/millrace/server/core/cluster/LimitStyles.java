package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.state.Keys;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Limits of jobs and of what they hold have an older form and one with brackets. Server and queues
 * have all of them in one form, as in PBS: nobody could tell which of two counts.
 */
final class LimitStyles {
  private static final Set<String> OLD =
      Set.of(
          "max_queuable",
          "max_running",
          "max_user_run",
          "max_group_run",
          "max_user_res",
          "max_group_res",
          "max_user_run_soft",
          "max_group_run_soft",
          "max_user_res_soft",
          "max_group_res_soft");

  private static final Set<String> OF_RUNS =
      Set.of("max_run", "max_run_res", "max_run_soft", "max_run_res_soft");

  private static final String QUEUED = "max_queued";
  private static final String QUEUED_AMOUNTS = "max_queued_res";

  private LimitStyles() {}

  /**
   * Refuses a limit while there are limits of the other form.
   *
   * @param attributes of the object after the change
   */
  static void check(Draft draft, ObjectChange change, Map<String, String> attributes)
      throws RejectedChange {
    boolean old = false;
    boolean bracketed = false;
    for (AttributeEdit edit : change.getAttributes()) {
      String name = base(edit.getName().toLowerCase(Locale.ROOT));
      boolean set = attributes.keySet().stream().anyMatch(it -> base(it).equals(name));
      old |= set && OLD.contains(name);
      bracketed |= set && isBracketed(name);
    }
    if ((old && any(draft, change, attributes, false))
        || (bracketed && any(draft, change, attributes, true))) {
      throw new RejectedChange(PbsError.MIXED_LIMITS);
    }
  }

  private static boolean isBracketed(String name) {
    return OF_RUNS.contains(name) || name.equals(QUEUED) || name.equals(QUEUED_AMOUNTS);
  }

  private static boolean any(
      Draft draft, ObjectChange change, Map<String, String> attributes, boolean old) {
    boolean server = change.getKind() == ObjectKind.SERVER;
    if (has(attributes, server, old)) {
      return true;
    }
    ClusterObject other = draft.find(ObjectKind.SERVER, Keys.SERVER);
    return (!server && has(Draft.attributes(other), true, old))
        || Nodes.any(
            draft.view(),
            ObjectKind.QUEUE,
            queue ->
                (server || !queue.getName().equals(change.getName()))
                    && has(Draft.attributes(queue), false, old));
  }

  /**
   * How many jobs the server takes may have been said before an old limit is set, as in PBS, where
   * it is refused afterwards.
   */
  private static boolean has(Map<String, String> attributes, boolean server, boolean old) {
    return attributes.keySet().stream()
        .map(LimitStyles::base)
        .anyMatch(
            it -> old ? OLD.contains(it) : OF_RUNS.contains(it) || (!server && it.equals(QUEUED)));
  }

  private static String base(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }
}
