package io.millrace.schedulers.gridengine.language.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.cluster.ClusterText;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong texts are refused in one line: file, line, reason, the nearest valid option. */
class ConfigurationRefusedTest {

  private static final String PER_HOST =
      ", but must be a whole number, 0 or more, then exceptions [HOST=...] or [@GROUP=...], each"
          + " once, where it differs";

  private static String refusal(OptionTable table, String text) {
    return assertThrows(ConfigurationRefused.class, () -> table.parse("file", text)).getMessage();
  }

  @Test
  void unknownOptionsWithTheNearestOne() {
    assertEquals(
        "file:2: 'max_reservations' is no option of the scheduler (nearest: max_reservation)",
        refusal(SchedulerOptions.TABLE, "algorithm default\nmax_reservations 20\n"));
    assertEquals(
        "file:1: 'zzzzzzzzzzzzzz' is no option of the scheduler",
        refusal(SchedulerOptions.TABLE, "zzzzzzzzzzzzzz 20\n"));
  }

  @Test
  void wrongValues() {
    assertEquals(
        "file:1: max_reservation is 'many', but must be a whole number, 0 or more",
        refusal(SchedulerOptions.TABLE, "max_reservation many\n"));
    assertEquals(
        "file:1: schedule_interval is '0:0:0', but must be a time above 0 ([[h:]m:]s)",
        refusal(SchedulerOptions.TABLE, "schedule_interval 0:0:0\n"));
    assertEquals(
        "file:1: queue_sort_method has no value",
        refusal(SchedulerOptions.TABLE, "queue_sort_method\n"));
    assertEquals(
        "file:2: slots is '2,[node01=many]'" + PER_HOST,
        refusal(QueueOptions.TABLE, "qname a\nslots 2,[node01=many]\n"));
    assertEquals(
        "file:2: slots is '[node01=2]'" + PER_HOST,
        refusal(QueueOptions.TABLE, "qname a\nslots [node01=2]\n"));
    assertEquals(
        "file:2: slots is '1,[@big=2],[@big=3]'" + PER_HOST,
        refusal(QueueOptions.TABLE, "qname a\nslots 1,[@big=2],[@big=3]\n"));
    assertEquals(
        "file:1: params is 'MONITOR=1,SPEED=9', but must be none or a list NAME=VALUE,... of"
            + " MONITOR, DURATION_OFFSET, PROFILE, RUNTIME, JC_FILTER, PE_RANGE_ALG: SPEED is unknown",
        refusal(SchedulerOptions.TABLE, "params MONITOR=1,SPEED=9\n"));
  }

  @Test
  void theNearestValidWord() {
    assertEquals(
        "file:1: queue_sort_method is 'seqn', but must be one of load, seqno (nearest: seqno)",
        refusal(SchedulerOptions.TABLE, "queue_sort_method seqn\n"));
    assertEquals(
        "file:2: allocation_rule is '$fillup', but must be a number above 0, $pe_slots, $fill_up or"
            + " $round_robin (nearest: $fill_up)",
        refusal(EnvironmentOptions.TABLE, "pe_name a\nallocation_rule $fillup\n"));
    assertEquals(
        "file:2: rerun is 'FALSE,[node01=TRU]', but must be TRUE or FALSE, then exceptions [HOST=...]"
            + " or [@GROUP=...], each once, where it differs (nearest: TRUE)",
        refusal(QueueOptions.TABLE, "qname a\nrerun FALSE,[node01=TRU]\n"));
  }

  @Test
  void ofAVeryLongValueTheFirstWordsAreHintedAt() {
    for (int before : new int[] {99, 100}) {
      String value = "1 ".repeat(before) + "$fillup";
      String told = refusal(EnvironmentOptions.TABLE, "pe_name a\nallocation_rule " + value + "\n");
      assertEquals(before == 99, told.endsWith(" (nearest: $fill_up)"), told);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MONITER=1 | MONITER is unknown (nearest: MONITOR)",
        "PROFILE=1,MONITOR=x | MONITOR is 'x', but must be TRUE or FALSE",
        "MONITOR | MONITOR is '', but must be TRUE or FALSE",
        "MONITOR=1;MONITOR=0 | MONITOR is there twice",
        "PE_RANGE_ALG=heighest | PE_RANGE_ALG is 'heighest', but must be one of auto, least, bin,"
            + " highest (nearest: highest)",
      })
  void whichOfTheParamsIsWrong(String params, String problem) {
    String told = refusal(SchedulerOptions.TABLE, "params " + params + "\n");
    assertTrue(told.startsWith("file:1: params is '" + params + "', but must be none or"), told);
    assertTrue(told.endsWith(": " + problem), told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "license=1,license=2 | (license is there twice)",
        "license | (not 'license')",
        "license=1,,hmem=2 | (not '')",
      })
  void whatIsWrongInAList(String list, String problem) {
    String told = refusal(HostOptions.TABLE, "hostname a\ncomplex_values " + list + "\n");
    assertEquals(
        "file:2: complex_values is '"
            + list
            + "', but must be NONE or a list NAME=VALUE,..., each name once "
            + problem,
        told);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h_vmem -1",
        "h_vmem 4GB",
        "s_rt -5",
        "slots 2,[node01=",
        "slots 2,[node01=]",
        "pe_list mpi;smp",
        "projects NONE;physics",
        "user_lists @staff",
        "hostlist node01;node02",
        "qname all.q@node01",
        "shell_start_mode posix",
        "load_thresholds np_load_avg",
        "load_thresholds np_load_avg=1,np_load_avg=2"
      })
  void valuesThatAQueueCannotHave(String line) {
    String name = line.split(" ")[0];
    String before = name.equals("qname") ? "" : "qname a\n";
    String told = refusal(QueueOptions.TABLE, before + line + "\n");
    String value = line.substring(name.length() + 1);
    String where = "file:" + (before.isEmpty() ? 1 : 2) + ": ";
    assertTrue(told.startsWith(where + name + " is '" + value + "', but must be "), told);
  }

  @Test
  void optionsThatDoNotGoTogether() {
    assertEquals(
        "file:2: default_duration is 0:0:0, but must be above 0 while max_reservation is 20",
        refusal(SchedulerOptions.TABLE, "max_reservation 20\ndefault_duration 0:0:0\n"));
  }

  @Test
  void aTextWithoutAnyOption() {
    assertEquals("file: there is no option in it", refusal(SchedulerOptions.TABLE, ""));
    assertEquals("file: there is no option in it", refusal(QueueOptions.TABLE, "\n# none\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "schedule_interval 1foo",
        "schedule_interval 5:5:5:5:5",
        "schedule_interval INFINITY",
        "load_formula np_load_avg*1.2.3",
        "load_formula np_load_avg*.",
        "load_formula 1.2.3",
        "weight_priority INFINITY",
        "weight_urgency 1e300",
        "policy_hierarchy OOF",
        "halflife_decay_list cpu",
        "usage_weight_list cpu=fast",
        "usage_weight_list pu=1.0",
        "usage_weight_list cpu=1.0,cpu=2.0",
        "max_pending_tasks_per_job 0",
        "schedd_job_info job_list",
        "schedd_job_info job_list - - ,"
      })
  void valuesThatNothingCouldBeReckonedWith(String line) {
    String name = line.split(" ")[0];
    String value = line.substring(name.length() + 1);
    String told = refusal(SchedulerOptions.TABLE, line + "\n");
    assertTrue(told.startsWith("file:1: " + name + " is '" + value + "', but must be "), told);
  }

  @Test
  void repeatedAndMissingLines() {
    assertEquals(
        "file:3: 'slots' stands here a second time",
        refusal(QueueOptions.TABLE, "qname a\nslots 1\nslots 2\n"));
    assertEquals("file: the line 'qname' is missing", refusal(QueueOptions.TABLE, "slots 1\n"));
  }

  @Test
  void theNumberOfAContinuedLineIsItsFirst() {
    assertEquals(
        "file:2: 'lod_values' is no option of a host (nearest: load_values)",
        refusal(HostOptions.TABLE, "hostname a\nlod_values x=1, \\\n  y=2\n"));
  }

  @Test
  void theComplex() {
    assertEquals(
        "c:1: type is 'INTEGER', but must be one of INT, DOUBLE, TIME, MEMORY, BOOL, STRING, CSTRING,"
            + " HOST, RESTRING (nearest: INT)",
        assertThrows(
                ConfigurationRefused.class, () -> Complexes.parse("c", "a a INTEGER <= YES NO 0 0"))
            .getMessage());
    assertEquals(
        "c:1: an attribute has 8 columns (name, shortcut, type, relop, requestable, consumable,"
            + " default, urgency), this line has 3",
        assertThrows(ConfigurationRefused.class, () -> Complexes.parse("c", "a a INT"))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slots s INT <= YES NO 0 0 | slots must be of type INT and consumable (YES)",
        "slots s DOUBLE <= YES YES 1 0 | slots must be of type INT and consumable (YES)",
        "h_rt h INT <= YES NO 0 0 | h_rt is a limit of queues and must be of type TIME",
        "a a STRING <= YES NO NONE 0 | a is of type STRING: its relop must be == or !=",
        "a a STRING == YES YES NONE 0 | a is no number, so it cannot be consumed",
        "a a STRING == YES NO red 0 | a is not consumable: its default must be NONE",
        "a a BOOL <= YES NO 0 0 | a is of type BOOL: its relop must be == or EXCL",
        "a a INT EXCL YES YES 0 0 | a has relop EXCL, for which it must be of type BOOL and consumable"
            + " (YES)",
        "a a INT >= YES YES 0 0 | a is consumable: its relop must be <= (of type BOOL: EXCL)",
        "a a INT <= YES NO 5 0 | a is not consumable: its default must be 0",
        "a a INT <= NO YES 0 0 | a can neither be requested nor is taken by default: default must not be"
            + " 0",
        "a a INT <= FORCED YES 1 0 | a must be requested (FORCED): its default must be 0",
        "a a INT <= YES YES -1 0 | a has a default below 0",
        "a=b a INT <= YES YES 0 0 | a=b has a sign in its name or shortcut with which it cannot be"
            + " requested",
        "a a INT <= YES YES 0 INFINITY | urgency is 'INFINITY', but must be a number of at most 1e12",
        "h_rtx h_rt TIME <= YES NO 0:0:0 0 | h_rtx has the name of a limit of queues for its shortcut",
        "a slots INT <= YES YES 0 0 | the shortcut slots is the name of another attribute",
      })
  void columnsThatDoNotGoTogether(String row, String problem) {
    String before = row.startsWith("slots") ? "" : "slots s INT <= YES YES 1 1000\n";
    assertEquals(
        "c:" + (before.isEmpty() ? 1 : 2) + ": " + problem,
        assertThrows(ConfigurationRefused.class, () -> Complexes.parse("c", before + row))
            .getMessage());
  }

  @Test
  void whatObjectsUseOfEachOther() {
    Complexes complexes = Complexes.parse("c", "slots s INT <= YES YES 1 1000");
    assertEquals(
        "q:2: hostlist names @al, which is no host group (nearest: @all)",
        assertThrows(
                ConfigurationRefused.class,
                () ->
                    new ClusterText(complexes)
                        .group("g", "group_name @all\nhostlist a\n")
                        .queue("q", "qname q\nhostlist @al\n")
                        .cluster())
            .getMessage());
    assertEquals(
        "q:3: complex_values names licence, which is no attribute of the complex",
        assertThrows(
                ConfigurationRefused.class,
                () ->
                    new ClusterText(complexes)
                        .queue("q", "qname q\nhostlist a\ncomplex_values licence=1\n")
                        .cluster())
            .getMessage());
  }
}
