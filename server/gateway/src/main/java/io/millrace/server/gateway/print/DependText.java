package io.millrace.server.gateway.print;

import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The attribute depend as PBS shows it: what a job waits for, then who waits for it. */
public final class DependText {
  private DependText() {}

  /** The attribute depend of a job; empty when it depends on none and none on it. */
  public static String of(Job job, List<Dependent> dependents, String server) {
    String plain = job.getId().substring(job.getId().indexOf('.')) + "@" + server;
    String array = "[]" + plain;
    StringBuilder text = new StringBuilder();
    for (Dependency dependency : job.getDepend()) {
      text.append(text.length() == 0 ? "" : ",").append(word(dependency.getKind()));
      if (dependency.getKind() == DependencyKind.ON) {
        text.append(':').append(dependency.getCount());
      }
      for (WaitedJob on : dependency.getJobs()) {
        text.append(':').append(on.getNumber()).append(on.getArray() ? array : plain);
      }
    }
    Map<DependencyKind, StringBuilder> others = new EnumMap<>(DependencyKind.class);
    StringBuilder[] order = new StringBuilder[DependencyKind.values().length];
    int kinds = 0;
    for (Dependent one : dependents) {
      StringBuilder list = others.get(one.getKind());
      if (list == null) {
        list = new StringBuilder(word(one.getKind()).replace("after", "before"));
        others.put(one.getKind(), list);
        order[kinds++] = list;
      }
      list.append(':').append(one.getChild()).append(one.getChildArray() ? array : plain);
    }
    for (int i = 0; i < kinds; i++) {
      text.append(text.length() == 0 ? "" : ",").append(order[i]);
    }
    return text.toString();
  }

  private static String word(DependencyKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** Whether a job is held because it waits for others. */
  public static boolean holds(Job job) {
    boolean waits =
        job.getDepend().stream().anyMatch(d -> d.getCount() > 0 || !d.getJobs().isEmpty());
    return waits && job.getStatus() == JobStatus.HELD && job.getHolds().indexOf('s') >= 0;
  }

  /** Whether a job is held for nothing but its dependencies. */
  static boolean onlyHolds(Job job) {
    return holds(job) && JobAttributeText.holds(job.getHolds()).equals("s");
  }
}
