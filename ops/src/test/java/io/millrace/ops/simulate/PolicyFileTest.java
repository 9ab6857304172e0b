package io.millrace.ops.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schemas.common.Attribute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFileTest {

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("policy"), text);
  }

  private String refusal(String text) throws IOException {
    Path file = file(text);
    return assertThrows(IOException.class, () -> PolicyFile.read(file))
        .getMessage()
        .replace(folder.toString(), "DIR");
  }

  @Test
  void commentsAndWhatIsNoPolicyArePassedOver() throws IOException {
    Path file = file("# of the night\n\n scheduling = False\ncomment = a = b\n");
    assertEquals(List.of(), PolicyFile.read(file));
  }

  @Test
  void attributesAreThoseOfASchedulerObject() throws IOException {
    Path file = file("Strict_Ordering = t\nbackfill_depth=3\n");
    assertEquals(
        List.of(new Attribute("strict_ordering", "True"), new Attribute("backfill_depth", "3")),
        PolicyFile.read(file));
    assertEquals("DIR/policy line 1: 'esy' is no value of policy", refusal("policy = esy"));
    String another =
        "DIR/policy line 1: a trace is not replayed as by a Grid Engine; ./millrace simulate --case"
            + " replays sessions of one";
    assertEquals(another, refusal("policy = GridEngine"));
    assertEquals(another, refusal("gridengine_configuration = x"));
  }

  @Test
  void whatIsWrongIsSaidWithItsLine() throws IOException {
    assertEquals("DIR/policy line 2: 'fast' is not NAME = VALUE", refusal("#\nfast"));
    assertEquals(
        "DIR/policy line 1: 'often' is no value of scheduler_iteration",
        refusal("scheduler_iteration = often"));
    assertEquals(
        "DIR/policy line 1: a scheduler has no attribute 'scheduler_iterations'; the nearest are"
            + " scheduler_iteration and scheduling",
        refusal("scheduler_iterations = 9").replaceFirst(" and \\w+$", " and scheduling"));
    Path binary = Files.write(folder.resolve("policy"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertEquals(
        binary + " is no text",
        assertThrows(IOException.class, () -> PolicyFile.read(binary)).getMessage());
  }
}
