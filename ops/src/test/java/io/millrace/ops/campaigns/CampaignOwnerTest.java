package io.millrace.ops.campaigns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ops.home.HomeOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Root has no campaigns, and nobody else has any for another user. */
class CampaignOwnerTest {

  @TempDir Path folder;

  private static String refusal(String caller, Optional<String> given) {
    return assertThrows(IllegalArgumentException.class, () -> CampaignOwner.of(caller, given))
        .getMessage();
  }

  @Test
  void whoIsRefused() {
    String root = "root has no campaigns; --user NAME says whose this one is";
    assertEquals(root, refusal("root", Optional.empty()));
    assertEquals(root, refusal("root", Optional.of("root")));
    assertEquals(root, refusal("daemon", Optional.of("root")));
    assertEquals(
        "--user daemon: you are bin, and only root acts for another user",
        refusal("bin", Optional.of("daemon")));
    assertEquals("there is no user nosuch", refusal("root", Optional.of("nosuch")));
  }

  @Test
  void rootActsForAnother() throws IOException {
    assertEquals("daemon", CampaignOwner.of("root", Optional.of("daemon")).name());
    assertEquals("daemon", CampaignOwner.of("daemon", Optional.empty()).name());
  }

  /** Folders in which root has daemon's tasks work; bin is somebody else on the machine. */
  private Path given() throws IOException {
    assumeTrue(HomeOwner.isCallers(Path.of("/")), "only root acts for other users");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path tasks = folder.resolve("tasks");
    new CampaignOwner("daemon").give(tasks);
    Files.writeString(folder.resolve("task.sh"), "#!/bin/sh\n");
    return tasks;
  }

  private static int as(String user, String... command) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(new CampaignOwner(user).become());
    line.addAll(List.of(command));
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Test
  void nobodyElseGetsHisProgramRun() throws IOException, InterruptedException {
    Path tasks = given();
    String script = folder.resolve("task.sh").toString();
    for (String user : List.of("daemon", "bin")) {
      assertNotEquals(0, as(user, "mv", "-f", "/dev/null", script), user);
      assertNotEquals(0, as(user, "rm", "-f", script), user);
    }
    String mine = tasks.resolve("mine").toString();
    assertNotEquals(0, as("bin", "touch", mine));
    assertNotEquals(0, as("bin", "mv", tasks.toString(), tasks + "-away"));
    assertEquals(0, as("daemon", "touch", mine));
    assertNotEquals(0, as("bin", "rm", "-f", mine));
    assertEquals("#!/bin/sh\n", Files.readString(folder.resolve("task.sh")));
  }

  @Test
  void whatIsTakenBackStaysAsItIs() throws IOException, InterruptedException {
    Path tasks = given();
    CampaignOwner owner = new CampaignOwner("daemon");
    Path mine = tasks.resolve("mine");
    assertEquals(0, as("daemon", "sh", "-c", "echo 1 >" + mine + "; chmod 777 " + tasks));
    owner.takeBack(tasks);
    assertNotEquals(0, as("daemon", "rm", "-f", mine.toString()));
    assertNotEquals(0, as("daemon", "touch", tasks.resolve("more").toString()));
    assertEquals(List.of("1"), owner.lines(mine, 2));
  }

  @Test
  void onlyHisOwnFilesAreRead() throws IOException, InterruptedException {
    Path tasks = given();
    CampaignOwner owner = new CampaignOwner("daemon");
    Path secret = Files.writeString(folder.resolve("secret"), "of root\n");
    Path hard = Files.createLink(tasks.resolve("hard"), secret);
    assertEquals(hard + " is not daemon's", refusal(owner, hard));
    Path link = tasks.resolve("link");
    assertEquals(0, as("daemon", "ln", "-s", secret.toString(), link.toString()));
    assertEquals(link + " is no regular file", refusal(owner, link));
    Path pipe = tasks.resolve("pipe");
    assertEquals(0, as("daemon", "mkfifo", pipe.toString()));
    assertEquals(pipe + " is no regular file", refusal(owner, pipe));
  }

  private static String refusal(CampaignOwner owner, Path file) {
    return assertThrows(IOException.class, () -> owner.lines(file, 100)).getMessage();
  }
}
