package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What qmgr prints recreates the same objects on an empty site. */
@Beside
@Tag("night")
class PrintedIT {

  private static final String PRINT =
      "qmgr -c 'print server' && qmgr -c 'print sched @default' && qmgr -c 'print node @default'";

  private static final String DIRECTIVES =
      """
      create resource lic type=long, flag=nh; create resource tags type=string_array, flag=h
      create resource speed type=float, flag=nh # of the site's own
      create resource rack type=string, flag=h
      cre queues night,day queue_type=e, enabled=t, started=t
      set queue night Priority=7, partition=P1, resources_max.walltime=10:00:00, kill_delay=30
      set queue night resources_max.walltime += 2:00:00
      set queue night max_run = "[u:PBS_GENERIC=3],[o:PBS_ALL=10]"
      set queue night max_run_res.lic = "[g:PBS_GENERIC=2]"
      set queue night acl_users = "ann,bob"; set queue night acl_user_enable = True
      set queue day resources_default.mem=1gb, default_chunk.ncpus=2, max_run_res.ncpus=[u:PBS_GENERIC=8]
      create queue way queue_type=route, started=t
      set queue way route_destinations = "day,night", enabled=t
      create sched second partition=P1, scheduling=t, policy=easy
      set sched second node_sort_key = "ncpus HIGH, lic LOW unused"
      set sched default backfill_depth = 4
      create node far Mom=elsewhere, partition=P1
      create node near comment="fan; #2 is 'loud'", resources_available.ncpus=8
      set node near resources_available.ncpus += 2
      set node near resources_available.tags = "a,b"
      set node near resources_available.tags += c
      set node near resources_available.rack = r1, resources_available.speed = 1.5
      set node near resources_available.mem = 3gb, resources_available.lic = 4
      set node near resources_available.mem -= 1gb
      set node near state = offline, sharing = default_exclhost
      set server managers += "ann@*"; set server operators = "bob@far,cid@*"
      set server default_queue = day, max_queued = "[o:PBS_ALL=500]"
      set server job_history_duration = 1:00:00, comment = "two words, and more"
      """;

  @Test
  void theSiteIsMadeAgainFromWhatIsPrinted() throws Exception {
    String printed;
    String home;
    try (Site first = Site.prepare("printed")) {
      first.up("--resources ncpus=1").must();
      Path file = Files.writeString(first.folder().resolve("directives"), DIRECTIVES);
      Shell.Answer made = first.run("qmgr -a < " + file);
      assertEquals("", made.err());
      made.must();
      printed = first.run(PRINT).must();
      home = first.home().root().toString();
      for (String line :
          List.of(
              "set queue night resources_max.walltime = 12:00:00",
              "set node near resources_available.ncpus = 10",
              "set node near sharing = default_exclhost",
              "set node near resources_available.mem = 2gb",
              "set node near resources_available.tags = \"a,b,c\"")) {
        assertTrue(printed.lines().anyMatch(line::equals), line + " in " + printed);
      }
    }
    try (Site second = Site.prepare("reprinted")) {
      second.up("--resources ncpus=1").must();
      // Folders of its schedulers lie in the home, and that one is gone.
      printed = printed.replace(home, second.home().root().toString());
      Path file = Files.writeString(second.folder().resolve("printed"), others(printed));
      Shell.Answer made = second.run("qmgr < " + file);
      List<String> wrong =
          made.err()
              .lines()
              .filter(it -> it.startsWith("qmgr obj=") && !it.endsWith("already exists"))
              .toList();
      assertEquals(List.of(), wrong, "what was there before is all that is in the way");
      assertEquals(others(printed), others(second.run(PRINT).must()));
    }
  }

  /** All lines but the default scheduler's folders: they are the home's, and cannot be set. */
  private static String others(String printed) {
    String folders = "(?m)^set sched default sched_(priv|log) = .*\n";
    assertEquals(2, Pattern.compile(folders).matcher(printed).results().count(), printed);
    return printed.replaceAll(folders, "");
  }
}
