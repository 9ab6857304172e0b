package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.slurm.SlurmKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The commands of the Slurm on which a campaign runs print garbage, hang, show an empty queue, and
 * say that what runs has ended. The first two are an event that ends when they answer again; no
 * task is lost or counted twice by any of them.
 */
@Tag("night")
@ResourceLock(OutsidePeer.ALL)
class CampaignLiesIT {

  private static final int TASKS = 300;
  private static final int AT_ONCE = 8;

  /** So often is the queue asked while it lies. */
  private static final int LIES = 4;

  private static final String COMMAND =
      """
      #!/bin/sh
      name=${0##*/} folder=${0%/*}
      read -r mode < "$folder/mode"
      echo $name >> "$folder/said.$mode"
      case $mode.$name in
      garbage.*) head -c 3000 /dev/urandom; exit 0 ;;
      hang.*) exec sleep 600 ;;
      empty.squeue) echo '{"errors": [], "jobs": []}'; exit 0 ;;
      over.squeue) /usr/bin/squeue "$@" | sed 's/"RUNNING"/"COMPLETED"/'; exit 0 ;;
      esac
      exec /usr/bin/$name "$@"
      """;

  @Test
  void noTaskIsLostOrCountedTwice() throws Exception {
    assumeTrue(Account.superuser(), "only root can start a Slurm");
    try (Site site = Site.prepare("campaign-lies")) {
      OutsidePeer.SLURM.up();
      OutsidePeer.SLURM.assumeUp();
      try {
        lies(site, site.user("mrlies"));
      } finally {
        OutsidePeer.SLURM.down();
      }
    }
  }

  private static void lies(Site site, Account user) throws Exception {
    String cluster = OutsidePeer.SLURM.cluster;
    Path spool = site.folder().resolve("outside");
    String own = spool + "/" + user.name();
    site.run("install -d -m 755 " + spool + " && install -d -o " + user.name() + " " + own).must();
    Path file = OutsidePeer.SLURM.file(site, cluster, spool, user);
    Path commands = commands(site);
    Files.writeString(
        file, "commands = " + commands + "\ncommand_limit_s = 4\n", StandardOpenOption.APPEND);
    site.up("--campaigns --no-keeper --executors 0 --forward " + file).must();
    String node = OutsidePeer.SLURM.node();
    site.qmgr("set node " + node + " resources_available.ncpus = " + AT_ONCE);
    CampaignBag bag = CampaignBag.submitted(site, user, cluster, TASKS, "2");
    String black = cluster + ", partition pbs-default (BLACKLISTED), ";
    for (String mode : List.of("garbage", "hang")) {
      goOn(bag);
      say(commands, mode);
      Site.await(CampaignBag.PATIENCE, mode, () -> site.told("gridclusters").contains(black));
      Site.await(
          CampaignBag.PATIENCE, "an event", () -> site.told("gridevents -g").contains(cluster));
      System.out.println("e2e: " + mode + ": " + site.told("gridevents -g").strip());
      say(commands, "good");
      Site.await(CampaignBag.PATIENCE, "no more", () -> !site.told("gridclusters").contains(black));
    }
    for (String mode : List.of("empty", "over")) {
      goOn(bag);
      say(commands, mode);
      Path said = commands.resolve("said." + mode);
      Site.await(CampaignBag.PATIENCE, mode, () -> asked(said) >= LIES);
      say(commands, "good");
    }
    goOn(bag);
    bag.assertGoesOn();
    bag.awaitEachOnce();
  }

  private static void goOn(CampaignBag bag) throws IOException, InterruptedException {
    bag.awaitDone(bag.done() + 2 * AT_ONCE);
  }

  private static Path commands(Site site) throws IOException {
    Path folder = Files.createDirectory(site.folder().resolve("commands"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    say(folder, "good");
    for (String name : new SlurmKind().programs()) {
      Path program = Files.writeString(folder.resolve(name), COMMAND);
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    for (String mode : List.of("good", "garbage", "hang", "empty", "over")) {
      Path said = Files.createFile(folder.resolve("said." + mode));
      Files.setPosixFilePermissions(said, PosixFilePermissions.fromString("rw-rw-rw-"));
    }
    return folder;
  }

  private static void say(Path folder, String mode) throws IOException {
    Path fresh = Files.writeString(folder.resolve("fresh"), mode + "\n");
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(fresh, folder.resolve("mode"), StandardCopyOption.REPLACE_EXISTING);
  }

  private static long asked(Path said) throws IOException {
    return Files.readAllLines(said).stream().filter("squeue"::equals).count();
  }
}
