package io.millrace.server.core.admission;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AccessList;
import io.millrace.server.core.decision.PbsRefusal;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The access lists of a queue. A list that is not enabled refuses nobody; one that is enabled and
 * empty refuses all.
 *
 * @param hosts the list, or null when it is not enabled; the others likewise
 */
record QueueAccess(String hosts, String users, String groups) {

  static QueueAccess of(Map<String, String> queue) {
    return new QueueAccess(list(queue, "host"), list(queue, "user"), list(queue, "group"));
  }

  private static String list(Map<String, String> queue, String what) {
    boolean enabled = "True".equals(queue.get("acl_" + what + "_enable"));
    return enabled ? queue.getOrDefault("acl_" + what + "s", "") : null;
  }

  void check(JobSpec spec) throws PbsRefusal {
    if (hosts != null && !AccessList.allowsHost(hosts, spec.getSubmitHost())) {
      throw new PbsRefusal(PbsError.HOST_REFUSED);
    }
    boolean user =
        users == null || AccessList.allowsUser(users, spec.getOwner(), spec.getSubmitHost());
    if (!user || (groups != null && !AccessList.allowsGroup(groups, groups(spec)))) {
      throw new PbsRefusal(PbsError.UNAUTHORIZED);
    }
  }

  private static Set<String> groups(JobSpec spec) {
    Set<String> groups = new HashSet<>();
    groups.add(spec.getGroup());
    if (spec.getGroups() != null) {
      groups.addAll(spec.getGroups());
    }
    return groups;
  }
}
