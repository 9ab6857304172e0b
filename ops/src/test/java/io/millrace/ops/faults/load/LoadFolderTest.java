package io.millrace.ops.faults.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.campaigns.CampaignOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of a campaign's tasks is nobody's to change but the caller's. */
class LoadFolderTest {

  @TempDir Path home;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void theOwnerWritesBesideTheScript() throws IOException {
    String caller = System.getProperty("user.name");
    boolean root = caller.equals("root");
    String owner = root ? "daemon" : caller;
    LoadFolder folder = LoadFolder.in(home);
    Path script = folder.writeTask(10, new CampaignOwner(owner), 2);
    assertEquals(owner, Files.getOwner(folder.tasks()).getName());
    assertEquals("rwxr-xr-x", mode(folder.tasks()));
    assertEquals(caller, Files.getOwner(script).getName());
    assertEquals("rwxr-xr-x", mode(script));
    for (Path above = script.getParent(); above.startsWith(home); above = above.getParent()) {
      assertEquals(caller, Files.getOwner(above).getName());
      assertTrue(mode(above).matches("rwx.-..-."), above + " " + mode(above));
    }
    assertNotEquals(folder.tasks(), script.getParent());
    assertTrue(Files.readString(script).contains(">>" + folder.attempts()));
  }

  @Test
  void aTaskSaysWhenItBeginsAndEnds() throws Exception {
    LoadFolder folder = LoadFolder.in(home);
    CampaignOwner owner = new CampaignOwner(System.getProperty("user.name"));
    Path script = folder.writeTask(10, owner, 2);
    ProcessBuilder task = new ProcessBuilder("/bin/sh", script.toString());
    task.environment()
        .putAll(
            Map.of(
                "PBS_JOBID", "1.vm",
                "MILLRACE_RUN", "3",
                "CIGRI_JOB_ID", "0",
                "MILLRACE_ATTEMPT", "2"));
    assertEquals(0, task.start().waitFor());
    assertEquals("1.vm 3 0 2\n", Files.readString(folder.attempts()));
    assertTrue(Files.readString(folder.taskEnds()).matches("1\\.vm 3 \\d{13}\n"));
  }
}
