package io.millrace.ops.campaigns.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Account;
import io.millrace.ops.e2e.Beside;
import io.millrace.ops.faults.Harness;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration of campaigns runs to its picture. */
@Beside
@Tag("night")
final class CampaignDemoIT {

  @TempDir Path folder;

  @Test
  void theTasksComputeThePicture() throws IOException, InterruptedException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Account user = Account.ordinary("mrtile", folder);
    try {
      Path made = folder.resolve("demo");
      Harness.Result result =
          new Harness(folder)
              .launch(
                  List.of(
                      "campaign-demo",
                      "--tasks",
                      "100",
                      "--user",
                      user.name(),
                      "--folder",
                      made.toString()));
      String said = result.json() + result.words();
      assertEquals(0, result.status(), said);
      assertTrue(said.contains("Progress: 100/100 (100%)"), said);
      assertTrue(said.contains("the picture is " + made.resolve("picture.png")), said);
      BufferedImage picture = ImageIO.read(made.resolve("picture.png").toFile());
      assertEquals(640, picture.getWidth());
      assertFalse(Files.exists(made.resolve("home")), "what is done is removed");
    } finally {
      user.remove(folder);
    }
  }
}
