package io.millrace.schemas.pbs.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StagingPairTest {

  @Test
  void aPathAHostAndAnotherPath() {
    assertEquals(
        Optional.of(new StagingPair("a b", "h.x", "/c d/é")), StagingPair.of("a b@h.x:/c d/é"));
    for (String wrong :
        List.of("", "a", "a@h", "a:b", "@h:b", "a@:b", "a@h:", "a@h:b:c", "a@b@h:c", "a@h h:b")) {
      assertEquals(Optional.empty(), StagingPair.of(wrong), wrong);
    }
    for (char wrong : new char[] {',', '\n', '\0', 0x7f}) {
      assertEquals(Optional.empty(), StagingPair.of("a" + wrong + "@h:b"));
      assertEquals(Optional.empty(), StagingPair.of("a@h:b" + wrong));
      assertEquals(Optional.empty(), StagingPair.of("a@h" + wrong + ":b"));
    }
    assertEquals(Optional.empty(), StagingPair.of("a".repeat(4097) + "@h:b"));
  }

  @Test
  void aList() {
    assertEquals(List.of(), StagingPair.list(""));
    List<StagingPair> two = List.of(new StagingPair("a", "h", "b"), new StagingPair("c", "h", "d"));
    assertEquals(two, StagingPair.list("a@h:b,c@h:d"));
    for (String wrong : List.of("a@h:b,", "a@h:b,c")) {
      assertThrows(IllegalArgumentException.class, () -> StagingPair.list(wrong), wrong);
    }
  }
}
