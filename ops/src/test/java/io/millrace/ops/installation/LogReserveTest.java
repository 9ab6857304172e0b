package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import io.millrace.ops.process.EndReason;
import io.millrace.ops.process.Part;
import io.millrace.server.gateway.command.DiskRoom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Room of the log's own, on a small disk. */
class LogReserveTest {

  @TempDir Path folder;

  @Test
  void itIsGivenWhenTheDiskIsFullAndKeptAgainWhenThereIsRoom() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    Path data = Files.createDirectories(home.brokerData());
    try (FullDisk disk = FullDisk.on(data, "260m")) {
      Assumptions.assumeTrue(disk != null, "mounting a small disk takes root");
      LogReserve reserve = new LogReserve(home);
      assertFalse(reserve.keep(), "there is no log yet");
      Files.writeString(data.resolve("meta.properties"), "cluster.id=abc\n");
      long before = data.toFile().getUsableSpace();
      assertTrue(reserve.keep());
      assertEquals(before - LogReserve.BYTES, data.toFile().getUsableSpace());
      assertFalse(reserve.isNeeded());
      assertEquals("", DiskRoom.words(home.root()));

      disk.fill(data.resolve("filler"));
      assertTrue(reserve.isNeeded());
      assertEquals("disk full: " + data, DiskRoom.words(home.root()));
      Part broker = Part.withFile("broker", "java", List.of());
      assertEquals("disk full: " + data, EndReason.ofDead(home, broker), "of whatever disk");
      assertTrue(reserve.give());
      assertFalse(reserve.isNeeded(), "there is room for the log");
      assertTrue(reserve.isGiven());
      assertFalse(reserve.give(), "there is nothing more to give");
      assertFalse(reserve.keep(), "there is too little room for others");

      Files.delete(data.resolve("filler"));
      assertTrue(reserve.keep());
      assertFalse(reserve.isGiven());
      assertTrue(Files.size(home.logReserve()) >= LogReserve.BYTES);
    }
  }
}
