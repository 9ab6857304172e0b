package io.millrace.ops.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script is run as it is, without a scheduler. */
class StripsTest {

  @TempDir Path folder;

  private void compute(Strips strips, int strip) throws IOException, InterruptedException {
    ProcessBuilder script = new ProcessBuilder("sh", strips.script().toString());
    script.environment().put("STRIP", Integer.toString(strip));
    Process process = script.redirectOutput(strips.output(strip).toFile()).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue());
  }

  @Test
  void theStripsMakeTheSet() throws IOException, InterruptedException {
    Strips strips = new Strips(folder, 3);
    strips.writeScript();
    for (int strip = 0; strip < 3; strip++) {
      compute(strips, strip);
    }
    List<int[]> rows = strips.read();
    assertEquals(36, rows.size());
    assertEquals(78, Strips.shown(rows).get(1).length());
    String middle = Strips.shown(rows).get(1);
    // 0 + 0i is in the set; far from it the points are light.
    assertEquals('@', middle.charAt((int) (78 * 2.1 / 2.8)));
    assertEquals('.', middle.charAt(0));
    strips.writePicture(rows);
    List<String> picture = Files.readAllLines(strips.picture());
    assertEquals(List.of("P2", "468 36", "255"), picture.subList(0, 3));
    assertEquals(3 + 468 * 36, picture.size());
  }

  @Test
  void aMissingOrDamagedStripIsNamed() throws IOException, InterruptedException {
    Strips strips = new Strips(folder, 1);
    strips.writeScript();
    assertTrue(assertThrows(IOException.class, strips::read).getMessage().contains("strip-00.txt"));
    Files.writeString(strips.output(0), "awk: not found\n".repeat(12));
    assertTrue(assertThrows(IOException.class, strips::read).getMessage().contains("no picture"));
  }
}
