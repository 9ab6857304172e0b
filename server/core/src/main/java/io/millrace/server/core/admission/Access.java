package io.millrace.server.core.admission;

import io.millrace.schemas.attributes.AccessList;
import io.millrace.schemas.common.JobSpec;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Refused;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whose jobs a queue takes. A list that is not enabled refuses nobody; one that is enabled and
 * empty refuses all.
 *
 * @param hosts the list, or null when it is not enabled; the others likewise
 */
record Access(String hosts, String users, String groups) {

  static Access of(Map<String, String> queue) {
    return new Access(list(queue, "host"), list(queue, "user"), list(queue, "group"));
  }

  private static String list(Map<String, String> queue, String what) {
    boolean enabled = "True".equals(queue.get("acl_" + what + "_enable"));
    return enabled ? queue.getOrDefault("acl_" + what + "s", "") : null;
  }

  void check(JobSpec spec) throws Refused {
    if (hosts != null && !AccessList.allowsHost(hosts, spec.getSubmitHost())) {
      throw new Refused(PbsError.HOST_REFUSED);
    }
    boolean user =
        users == null || AccessList.allowsUser(users, spec.getOwner(), spec.getSubmitHost());
    if (!user || (groups != null && !AccessList.allowsGroup(groups, groups(spec)))) {
      throw new Refused(PbsError.UNAUTHORIZED);
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
