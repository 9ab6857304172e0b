package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.sabotage.Sabotage;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a harness says it has done to a task of a campaign, and the findings that have to follow.
 *
 * @param kind of the findings
 * @param subject as it stands in them
 */
record PlantedTask(String kind, String subject) {

  private static final Pattern FORGOT = Pattern.compile("planted: forgot task (\\d+), which runs");
  private static final Pattern AGAIN =
      Pattern.compile("planted: submitted \\d+\\.(\\d+)\\.\\d+ again");
  private static final Pattern COUNTED =
      Pattern.compile("planted: submitted \\d+\\.(\\d+)\\.\\d+ of a task that is done");
  private static final Pattern TASK = Pattern.compile("^(\\w+) (task \\d+): .*");

  /**
   * @param words output of the harness for people
   */
  static PlantedTask of(Sabotage sabotage, String words) {
    return switch (sabotage) {
      case FORGET_TASK -> of("LOST", FORGOT, words);
      case SEND_AGAIN -> of("TWICE", AGAIN, words);
      case COUNT_REPLICA -> of("COUNTED_TWICE", COUNTED, words);
      default -> throw new IllegalArgumentException(sabotage + " is not about a task");
    };
  }

  private static PlantedTask of(String kind, Pattern said, String words) {
    Matcher found = said.matcher(words);
    assertTrue(found.find(), () -> "it is not said which task: " + words);
    return new PlantedTask(kind, "task " + found.group(1));
  }

  /** Checks that of all tasks this one was found, and no other. */
  void isFound(List<String> findings) {
    Set<String> tasks = new TreeSet<>();
    for (String finding : findings) {
      Matcher found = TASK.matcher(finding);
      if (found.matches() && found.group(1).equals(kind)) {
        tasks.add(found.group(2));
      }
    }
    assertEquals(Set.of(subject), tasks, () -> kind + " in " + findings);
  }
}
