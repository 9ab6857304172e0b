package io.millrace.ops.campaigns.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.campaigns.CampaignOwner;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tiles make a picture, each at its place. */
class TileGridTest {

  private static final CampaignOwner CALLER = new CampaignOwner(System.getProperty("user.name"));

  @TempDir Path folder;

  @Test
  void thereAreAsManyTilesAsTasks() {
    assertEquals(new TileGrid(folder, 50, 40, 16), TileGrid.of(folder, 2_000));
    assertEquals(new TileGrid(folder, 10, 10, 64), TileGrid.of(folder, 100));
    assertEquals(new TileGrid(folder, 1, 1, 64), TileGrid.of(folder, 1));
    for (int tasks : List.of(7, 60, 1_999, 99_991, 100_000)) {
      TileGrid grid = TileGrid.of(folder, tasks);
      assertEquals(tasks, grid.columns() * grid.rows());
      assertTrue(grid.side() >= 8, grid.toString());
    }
  }

  private int run(TileGrid grid, int task) throws IOException, InterruptedException {
    // The second that a local job has to come in is not for here.
    String text = Files.readString(grid.script()).replaceFirst("sleep 1 .*", "");
    Path script = Files.writeString(folder.resolve("tile-now.sh"), text);
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", script.toString(), Integer.toString(task))
            .directory(grid.folder().toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    builder.environment().put("PBS_JOBID", task + ".host");
    return builder.start().waitFor();
  }

  @Test
  void theScriptComputesATile() throws IOException, InterruptedException {
    TileGrid grid = new TileGrid(folder.resolve("tiles"), 2, 2, 24);
    grid.writeScript(CALLER);
    for (int task = 0; task < 4; task++) {
      assertEquals(0, run(grid, task), Files.readString(folder.resolve("said")));
    }
    Path file = folder.resolve("picture.png");
    grid.write(grid.read(CALLER), file);
    BufferedImage picture = ImageIO.read(file.toFile());
    assertEquals(48, picture.getWidth());
    assertEquals(48, picture.getHeight());
    Set<Integer> colours = new TreeSet<>();
    for (int x = 0; x < 48; x++) {
      colours.add(picture.getRGB(x, x));
    }
    assertTrue(colours.size() > 10, "there is something to see: " + colours);
  }

  private static String refusal(TileGrid grid) {
    return assertThrows(IOException.class, () -> grid.read(CALLER)).getMessage();
  }

  private static List<String> rows(String point) {
    return new ArrayList<>(List.of(point + " " + point, point + " " + point));
  }

  @Test
  void eachTileIsAtItsPlace() throws IOException {
    TileGrid grid = new TileGrid(folder, 2, 2, 2);
    for (int task = 0; task < 4; task++) {
      Files.write(grid.tile(task), rows(Integer.toString(task)));
    }
    BufferedImage picture = grid.read(CALLER);
    int mask = 0xffffff;
    assertEquals(0, picture.getRGB(1, 1) & mask);
    assertEquals(TileGrid.colour(1), picture.getRGB(2, 0) & mask);
    assertEquals(TileGrid.colour(2), picture.getRGB(0, 3) & mask);
    assertEquals(TileGrid.colour(3), picture.getRGB(3, 2) & mask);
  }

  @Test
  void aTileThatIsMissingOrBrokenIsNamed() throws IOException {
    TileGrid grid = new TileGrid(folder, 1, 2, 2);
    Files.write(grid.tile(0), rows("1"));
    String missing = refusal(grid);
    assertEquals("tile 1 is missing: " + grid.tile(1), missing);
    Files.write(grid.tile(1), List.of("1 2"));
    String wrong = grid.tile(1) + " has 1 lines, not 2";
    assertEquals(wrong, refusal(grid));
    Files.write(grid.tile(1), rows("x"));
    String garbage = grid.tile(1) + " holds no tile: a point is no number";
    assertEquals(garbage, refusal(grid));
  }

  @Test
  void aTileThatNeverEndsIsNotRead() throws IOException {
    TileGrid grid = new TileGrid(folder, 1, 1, 2);
    Files.createSymbolicLink(grid.tile(0), Path.of("/dev/zero"));
    assertEquals(grid.tile(0) + " is no regular file", refusal(grid));
    Files.delete(grid.tile(0));
    Files.writeString(grid.tile(0), "1".repeat(100_000));
    assertEquals(grid.tile(0) + " has more than 18 bytes", refusal(grid));
  }

  @Test
  void nothingOfAnotherFileIsTold() throws IOException {
    TileGrid grid = new TileGrid(folder, 1, 1, 2);
    Path secret = Files.write(folder.resolve("secret"), rows("root:x"));
    Files.createSymbolicLink(grid.tile(0), secret);
    assertEquals(grid.tile(0) + " is no regular file", refusal(grid));
    Files.delete(grid.tile(0));
    Files.write(grid.tile(0), rows("root:x"));
    assertFalse(refusal(grid).contains("root:x"));
  }
}
