package io.millrace.schemas.pbs.attributes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The folders of a scheduler object: where they are when nothing is said, and PBS's words. */
public final class SchedulerFolders {

  /** Attribute: where the files are that tell a scheduler what to do. */
  public static final String PRIV = "sched_priv";

  /** Attribute: where its day logs are. */
  public static final String LOG = "sched_log";

  public static final List<String> BOTH = List.of(PRIV, LOG);

  /**
   * Attribute of the server that nobody sees or sets: the home folder of the server that began
   * last.
   */
  public static final String HOME = "millrace_home";

  private static final Map<String, String> NAMES = Map.of(PRIV, "sched_priv", LOG, "sched_logs");

  private static final Map<String, String> COMMENTS =
      Map.of(
          PRIV, "PBS failed validation checks for sched_priv directory",
          LOG, "Unable to change the sched_log directory");

  private SchedulerFolders() {}

  /**
   * Name below the home of the folder of a scheduler object that names none.
   *
   * @param attribute {@link #PRIV} or {@link #LOG}
   */
  public static String usual(String attribute, String scheduler) {
    String name = NAMES.get(attribute);
    // A name with a slash would lead to another folder.
    boolean plain = scheduler.matches("[\\w.-]+") && !scheduler.equals("default");
    return plain ? name + "_" + scheduler : name;
  }

  /** What the comment of a scheduler object says while the folder cannot be used. */
  public static String comment(String attribute) {
    return COMMENTS.get(attribute);
  }

  /** Whether a comment is one of those about folders. */
  public static boolean isComment(String text) {
    return COMMENTS.containsValue(text);
  }

  /** Whether two paths name the same folder, as far as their texts tell. */
  public static boolean same(String one, String other) {
    return steps(one).equals(steps(other));
  }

  /** The folders on the way, without those that lead nowhere or back; a first "/" is one, too. */
  private static List<String> steps(String path) {
    List<String> steps = new ArrayList<>();
    if (path.startsWith("/")) {
      steps.add("/");
    }
    for (String step : path.split("/")) {
      boolean back = step.equals("..") && !steps.isEmpty() && !last(steps).equals("..");
      if (back && !last(steps).equals("/")) {
        steps.remove(steps.size() - 1);
      } else if (!step.isEmpty() && !step.equals(".") && !back) {
        steps.add(step);
      }
    }
    return steps;
  }

  private static String last(List<String> steps) {
    return steps.get(steps.size() - 1);
  }
}
