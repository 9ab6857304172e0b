package io.millrace.server.accounting.book;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.WaitedJob;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Parts of lines that are the same whenever a job or a run is told, each ending with a space. */
public final class JobTexts {

  private JobTexts() {}

  static String who(JobSpec spec) {
    StringBuilder text = new StringBuilder(128);
    text.append("user=").append(spec.getOwner());
    text.append(" group=").append(spec.getGroup());
    if (!spec.getAccount().isEmpty()) {
      text.append(" account=").append(AccountValue.quoted(spec.getAccount()));
    }
    text.append(" project=").append(AccountValue.of(spec.getProject()));
    text.append(" jobname=").append(AccountValue.of(spec.getName()));
    return text.append(' ').toString();
  }

  static String requested(JobSpec spec) {
    StringBuilder text = new StringBuilder(192);
    for (Attribute resource : spec.getResourceList()) {
      text.append(requested(resource));
    }
    return text.toString();
  }

  public static String requested(Attribute resource) {
    return "Resource_List." + resource.getName() + "=" + AccountValue.of(resource.getValue()) + " ";
  }

  /**
   * {@code depend=KIND:ID@SERVER...}; empty for a job that waits for none and that none is to wait
   * for.
   *
   * @param before those that are to wait for it, by how they do
   */
  public static String depend(String jobId, List<Dependency> waits, List<Dependency> before) {
    StringBuilder text = new StringBuilder();
    waits.forEach(one -> depend(text, jobId, one, word(one)));
    before.forEach(one -> depend(text, jobId, one, word(one).replace("after", "before")));
    return text.length() == 0 ? "" : text.append(' ').toString();
  }

  private static String word(Dependency dependency) {
    return dependency.getKind().name().toLowerCase(Locale.ROOT);
  }

  private static void depend(StringBuilder text, String jobId, Dependency dependency, String word) {
    String server = jobId.substring(jobId.indexOf('.') + 1);
    text.append(text.length() == 0 ? "depend=" : ",").append(word);
    if (dependency.getKind() == DependencyKind.ON) {
      text.append(':').append(dependency.getCount());
    }
    for (WaitedJob on : dependency.getJobs()) {
      text.append(':').append(on.getNumber()).append(on.getArray() ? "[]." : ".");
      text.append(server).append('@').append(server);
    }
  }

  public static String place(Allocation allocation) {
    return "exec_host="
        + allocation.getExecHost()
        + " exec_vnode="
        + allocation.getExecVnode()
        + " ";
  }

  public static String assigned(Allocation allocation, ResourceTable resources) {
    Map<String, Long> sums = new TreeMap<>();
    for (NodeShare share : allocation.getShares()) {
      share.getAmounts().forEach((name, amount) -> sums.merge(name, amount, Long::sum));
    }
    sums.keySet().removeIf(NodeAmounts::withoutLimit);
    StringBuilder text = new StringBuilder();
    sums.forEach(
        (name, amount) ->
            text.append("resource_assigned.")
                .append(name)
                .append('=')
                .append(
                    resources
                        .find(name)
                        .map(it -> Amounts.formatAssigned(it, amount))
                        .orElse(Long.toString(amount)))
                .append(' '));
    return text.toString();
  }
}
