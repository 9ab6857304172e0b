package io.millrace.schedulers.dialects.gridengine.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.gridengine.cluster.ClusterText;
import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong texts are refused in one line: file, line, reason, the nearest valid option. */
class RefusedTest {

  private static final String PER_HOST =
      ", but must be a whole number, 0 or more, then exceptions [HOST=...] or [@GROUP=...], each"
          + " once, where it differs";

  private static String refusal(OptionTable table, String text) {
    return assertThrows(Refused.class, () -> table.parse("file", text)).getMessage();
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
            + " MONITOR, DURATION_OFFSET, PROFILE, RUNTIME, JC_FILTER, PE_RANGE_ALG",
        refusal(SchedulerOptions.TABLE, "params MONITOR=1,SPEED=9\n"));
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
  void slotsAreConsumable() {
    assertEquals(
        "file: the attribute 'slots' must be consumable (YES)",
        assertThrows(Refused.class, () -> Complexes.parse("file", "slots s INT <= YES NO 1 1000\n"))
            .getMessage());
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
        assertThrows(Refused.class, () -> Complexes.parse("c", "a a INTEGER <= YES NO 0 0"))
            .getMessage());
    assertEquals(
        "c:1: an attribute has 8 columns (name, shortcut, type, relop, requestable, consumable,"
            + " default, urgency), this line has 3",
        assertThrows(Refused.class, () -> Complexes.parse("c", "a a INT")).getMessage());
  }

  @Test
  void whatObjectsUseOfEachOther() {
    Complexes complexes = Complexes.parse("c", "slots s INT <= YES YES 1 1000");
    assertEquals(
        "q: there is no host group @al (nearest: @all)",
        assertThrows(
                Refused.class,
                () ->
                    new ClusterText(complexes)
                        .group("g", "group_name @all\nhostlist a\n")
                        .queue("q", "qname q\nhostlist @al\n")
                        .cluster())
            .getMessage());
    assertEquals(
        "q: complex_values names licence, which is no attribute of the complex",
        assertThrows(
                Refused.class,
                () ->
                    new ClusterText(complexes)
                        .queue("q", "qname q\nhostlist a\ncomplex_values licence=1\n")
                        .cluster())
            .getMessage());
  }
}
