package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is compared of a plan of which a recording shows the end. */
class RecordedFilesTest {
  private static final String OF_JOB = "57:1:RUNNING:TIME:30:Q:all.q@vm:slots:2.000000";
  private static final String SLOTS = "0:0:RESERVING:+20s:30:Q:all.q@vm:slots:4.000000";
  private static final String LICENCES = "0:0:RESERVING:+20s:30:G:global:license:4.000000";
  private static final String OTHER = "0:0:RESERVING:+90s:30:Q:all.q@vm:slots:1.000000";

  @Test
  void whatTheCutShowsNothingOfIsLeftOut() {
    List<String> cut = List.of(OF_JOB, LICENCES, SLOTS);
    assertEquals(
        List.of(LICENCES, SLOTS, OF_JOB),
        RecordedFiles.asShown(cut, List.of(OF_JOB, SLOTS, OTHER, LICENCES)));
  }

  @Test
  void anotherLineOfWhatItShowsCounts() {
    List<String> cut = List.of(OF_JOB, LICENCES, SLOTS);
    String wrong = SLOTS.replace("4.0", "3.0");
    assertEquals(
        List.of(LICENCES, wrong, SLOTS, OF_JOB),
        RecordedFiles.asShown(cut, List.of(OF_JOB, SLOTS, wrong, LICENCES)));
    assertEquals(
        List.of(LICENCES, SLOTS, SLOTS, OF_JOB),
        RecordedFiles.asShown(cut, List.of(OF_JOB, SLOTS, SLOTS, LICENCES)),
        "one that stands there twice");
  }

  @Test
  void beforeItsFirstLineOthersMayHaveStood() {
    assertEquals(
        List.of(SLOTS), RecordedFiles.asShown(List.of(SLOTS), List.of(LICENCES, SLOTS, OTHER)));
  }
}
