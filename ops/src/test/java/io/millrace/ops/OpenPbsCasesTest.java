package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The lists of OpenPBS's own cases are whole, and name tests that exist. */
class OpenPbsCasesTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));

  /** Cases in each of the files that a page lists. */
  private static final Map<String, Map<String, Integer>> PAGES =
      Map.of(
          "multi-sched.md",
          Map.of(
              "pbs_multi_sched.py", 58,
              "pbs_sched_interface_test.py", 11,
              "pbs_partition.py", 9,
              "pbs_node_partition.py", 4),
          "reservations-openpbs.md",
          Map.ofEntries(
              Map.entry("pbs_reservations.py", 51),
              Map.entry("pbs_ralter.py", 69),
              Map.entry("pbs_maintenance_reservations.py", 17),
              Map.entry("pbs_resv_start_dur_end.py", 6),
              Map.entry("pbs_conf_resv_stale_vnode.py", 2),
              Map.entry("pbs_rstat.py", 1),
              Map.entry("pbs_dup_acc_log_for_resv.py", 1),
              Map.entry("pbs_resv_begin_hook.py", 12),
              Map.entry("pbs_resv_confirm_hook.py", 7),
              Map.entry("pbs_resv_end_hook.py", 15),
              Map.entry("pbs_modifyresv_hook.py", 5)));

  private static final Pattern CASE = Pattern.compile("- `(test_\\w+)`: (.*)");

  /** The cases of each file that a page lists, with what is said of them. */
  private static Map<String, Map<String, String>> cases(String page) throws IOException {
    Map<String, Map<String, String>> files = new LinkedHashMap<>();
    String joined =
        Files.readString(ROOT.resolve("docs").resolve(page)).replaceAll("\n  (?=\\S)", " ");
    Map<String, String> file = new HashMap<>();
    for (String line : joined.split("\n")) {
      Matcher matcher = CASE.matcher(line);
      if (line.startsWith("### ")) {
        file = new LinkedHashMap<>();
        files.put(line.substring("### ".length()), file);
      } else if (matcher.matches()) {
        assertEquals(null, file.put(matcher.group(1), matcher.group(2)), "twice: " + line);
      }
    }
    return files;
  }

  @Test
  void noneIsLeftOut() throws IOException {
    for (Map.Entry<String, Map<String, Integer>> page : PAGES.entrySet()) {
      Map<String, Integer> found = new HashMap<>();
      cases(page.getKey()).forEach((file, cases) -> found.put(file, cases.size()));
      assertEquals(page.getValue(), found);
    }
  }

  @Test
  void eachHasATestThatExistsOrAReason() throws IOException {
    NamedTests tests = NamedTests.read(ROOT);
    List<String> wrong = new ArrayList<>();
    for (String page : PAGES.keySet()) {
      for (Map<String, String> file : cases(page).values()) {
        file.forEach((name, said) -> tests.wrong(said).forEach(it -> wrong.add(name + ": " + it)));
      }
    }
    assertEquals(List.of(), wrong);
  }
}
