package io.millrace.server.gateway.request;

import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The value of -W depend: {@code kind:job:job,kind:job}, in PBS's words. The before kinds are those
 * of the other jobs, seen from this one.
 *
 * @param depend what the job waits for
 * @param before the jobs that wait for it
 */
public record DependSyntax(List<Dependency> depend, List<Dependency> before) {

  private static final Map<String, DependencyKind> AFTER =
      Map.of(
          "after", DependencyKind.AFTER,
          "afterok", DependencyKind.AFTEROK,
          "afternotok", DependencyKind.AFTERNOTOK,
          "afterany", DependencyKind.AFTERANY);

  private static final Map<String, DependencyKind> BEFORE =
      Map.of(
          "before", DependencyKind.AFTER,
          "beforeok", DependencyKind.AFTEROK,
          "beforenotok", DependencyKind.AFTERNOTOK,
          "beforeany", DependencyKind.AFTERANY);

  /** Kinds of dependency that PBS has and that are refused here. */
  static final Set<String> REFUSED = Set.of("runone", "syncwith", "synccount");

  private static final int COUNT_DIGITS = 5;

  /** Whether it is well formed, apart from what the cluster has to say. */
  static boolean legal(String value, String server) {
    for (String part : value.split(",", -1)) {
      String[] words = part.strip().split(":", -1);
      String kind = words[0];
      boolean counted = kind.equals("on");
      boolean known =
          counted || AFTER.containsKey(kind) || BEFORE.containsKey(kind) || REFUSED.contains(kind);
      if (!known || words.length < 2 || (counted && words.length != 2)) {
        return false;
      }
      for (int i = 1; i < words.length; i++) {
        boolean legal = counted ? count(words[i]) : job(words[i], server);
        if (!legal && !REFUSED.contains(kind)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean count(String text) {
    return text.matches("\\d{1," + COUNT_DIGITS + "}");
  }

  private static boolean job(String text, String server) {
    return JobIds.parse(text, server).isPresent() || JobIds.part(text, server).isPresent();
  }

  /** Whether a part of an array is named; jobs wait for whole arrays only, as in PBS. */
  static boolean namesSubjobs(String value) {
    return value.matches(".*\\[[^]].*");
  }

  /** The first kind of dependency in the text that is refused here, if there is one. */
  static Optional<String> refused(String value) {
    for (String part : value.split(",")) {
      String kind = part.strip().split(":", 2)[0];
      if (REFUSED.contains(kind)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /** Looks up where the named jobs were born. Each kind occurs once, at its first place. */
  public static DependSyntax read(Site site, String value)
      throws QueryException, InterruptedException {
    EnumMap<DependencyKind, Dependency> before = new EnumMap<>(DependencyKind.class);
    Map<DependencyKind, Dependency> depend = new java.util.LinkedHashMap<>();
    for (String part : value.isEmpty() ? new String[0] : value.split(",")) {
      String[] words = part.strip().split(":");
      if (words[0].equals("on")) {
        int count = Integer.parseInt(words[1]);
        depend.put(DependencyKind.ON, new Dependency(DependencyKind.ON, count, List.of()));
        continue;
      }
      boolean after = AFTER.containsKey(words[0]);
      DependencyKind kind = after ? AFTER.get(words[0]) : BEFORE.get(words[0]);
      Dependency wish =
          (after ? depend : before)
              .computeIfAbsent(kind, k -> new Dependency(k, 0, new ArrayList<>()));
      for (int i = 1; i < words.length; i++) {
        WaitedJob job = job(site, words[i]);
        if (!wish.getJobs().contains(job)) {
          wish.getJobs().add(job);
        }
      }
    }
    return new DependSyntax(new ArrayList<>(depend.values()), new ArrayList<>(before.values()));
  }

  private static WaitedJob job(Site site, String text) throws QueryException, InterruptedException {
    JobIds.JobId id = JobIds.parse(text, site.server()).orElseThrow();
    boolean array = id.id().startsWith(id.number() + "[");
    return new WaitedJob(id.number(), site.queries().birth(id.number()).orElse(-1), array);
  }
}
