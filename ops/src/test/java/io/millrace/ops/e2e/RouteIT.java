package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * A routing queue with three destinations that have limits, in three partitions; at night the
 * server is killed meanwhile.
 */
@Order(2)
@Shared(user = "mrroute", site = "second")
class RouteIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private static final String SCRIPT =
      """
      cd $PBS_O_WORKDIR
      echo $PBS_JOBNAME >>order
      until [ -e go-$PBS_JOBNAME ]; do sleep 0.05; done
      """;

  @Test
  void jobsGoToTheFirstQueueThatTakesThem(Site site, Account user) throws Exception {
    new Scenario(site, user).run();
  }

  private static final class Scenario {
    private final Site site;
    private final Account user;
    private final Path work;

    Scenario(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
    }

    void run() throws Exception {
      queues();
      Path script = Files.writeString(work.resolve("script.sh"), SCRIPT);
      user.own(site.folder(), script);
      Map<String, String> jobs = new java.util.LinkedHashMap<>();
      for (String name : List.of("a", "b", "c", "d")) {
        jobs.put(name, submit(name, "00:10:00"));
        String taker = Map.of("a", "one", "d", "short").getOrDefault(name, "two");
        Site.await(PATIENCE, name + " is in " + taker, () -> inQueue(jobs.get(name), taker));
      }
      String last = submit("long", "02:00:00");
      Site.await(PATIENCE, "short refused", () -> why(last).contains("for good by short"));
      assertEquals("route", site.job(last).path("queue").asText());
      Site.await(PATIENCE, "four run", () -> lines().size() == 4);

      if (Site.NIGHT) {
        site.killAndUp("server");
      }
      assertEquals("route", site.job(last).path("queue").asText(), "no room yet: " + why(last));
      Files.createFile(work.resolve("go-b"));
      Site.await(PATIENCE, "there is room in two", () -> inQueue(last, "two"));
      for (String name : List.of("a", "c", "d", "long")) {
        Files.createFile(work.resolve("go-" + name));
      }
      jobs.put("long", last);
      for (String job : jobs.values()) {
        site.awaitState(job, "F");
        assertEquals(0, site.job(job).path("Exit_status").asInt());
      }
      List<String> order = lines();
      assertEquals(List.of("a", "b", "c", "d", "long"), order.stream().sorted().toList());
      assertEquals("long", order.get(4), "each ran once, the one that waited last");
      String history = site.run("tracejob " + last).must();
      assertTrue(history.contains("queue = route"), history);
    }

    /** One queue takes one job, two takes two per user, short refuses jobs of more than an hour. */
    private void queues() throws Exception {
      site.qmgr("create queue one queue_type=e,enabled=t,started=t,max_queued=[o:PBS_ALL=1]");
      site.qmgr("create queue two queue_type=e,enabled=t,started=t,partition=p1");
      site.qmgr("set queue two max_queued = [u:PBS_GENERIC=2]");
      site.qmgr("create queue short queue_type=e,enabled=t,started=t,partition=p2");
      site.qmgr("set queue short resources_max.walltime = 01:00:00");
      site.qmgr("create queue route queue_type=route,route_retry_time=1");
      site.qmgr("set queue route route_destinations = one");
      site.qmgr("set queue route route_destinations += two");
      site.qmgr("set queue route route_destinations += short");
      site.qmgr("set queue route enabled = True");
      site.qmgr("set queue route started = True");
    }

    private String submit(String name, String walltime) throws Exception {
      return site.run(
              user, work, "qsub -q route -N " + name + " -l walltime=" + walltime + " script.sh")
          .must()
          .strip();
    }

    private boolean inQueue(String job, String queue) throws Exception {
      return site.run("qstat -f -F dsv " + job).must().contains("|queue=" + queue + "|");
    }

    private String why(String job) throws Exception {
      return site.run("why " + job).must();
    }

    private List<String> lines() throws IOException {
      Path order = work.resolve("order");
      return Files.exists(order) ? Files.readAllLines(order) : List.of();
    }
  }
}
