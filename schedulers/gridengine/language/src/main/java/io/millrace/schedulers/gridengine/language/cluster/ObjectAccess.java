package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.Form;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Access control of a queue, host or environment.
 *
 * @param users access lists of which the user must be in one; empty for everybody
 * @param noUsers access lists of which the user must be in none
 * @param projects as users, for the job's project
 */
public record ObjectAccess(
    Set<String> users, Set<String> noUsers, Set<String> projects, Set<String> noProjects) {

  public static ObjectAccess users(String users, String noUsers) {
    return of(users, noUsers, "NONE", "NONE");
  }

  static ObjectAccess of(String users, String noUsers, String projects, String noProjects) {
    return new ObjectAccess(names(users), names(noUsers), names(projects), names(noProjects));
  }

  private static Set<String> names(String list) {
    return Form.none(list)
        ? Set.of()
        : Stream.of(list.split("[,\\s]+")).collect(Collectors.toUnmodifiableSet());
  }

  /** Whether everybody has access. */
  public boolean open() {
    return users.isEmpty() && noUsers.isEmpty() && projects.isEmpty() && noProjects.isEmpty();
  }

  /**
   * @param members the entries of each access list; a list that does not exist has none
   */
  public boolean admitsUser(String user, Map<String, List<String>> members) {
    return (users.isEmpty() || users.stream().anyMatch(list -> has(list, user, members)))
        && noUsers.stream().noneMatch(list -> has(list, user, members));
  }

  private static boolean has(String list, String user, Map<String, List<String>> members) {
    return members.getOrDefault(list, List.of()).contains(user);
  }

  /**
   * @param project of the job; empty when it has none
   */
  public boolean admitsProject(String project) {
    return (projects.isEmpty() || projects.contains(project))
        && (project.isEmpty() || !noProjects.contains(project));
  }
}
