package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * What a description says of its jobs, from the shell: types by day and by night, properties of
 * nodes, and short tasks that share a job, of which one fails and one is killed in the middle.
 */
@Order(2)
@Shared(user = "mrtypes")
class CampaignTypesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm");
  private static final int TASKS = 120;
  private static final int FAILING = 70;
  private static final int KILLED = 90;

  /** A night from so many hours from now on until so many. */
  private static String night(int from, int to) {
    LocalTime now = LocalTime.now();
    return CLOCK.format(now.plusHours(from)) + "-" + CLOCK.format(now.plusHours(to));
  }

  private static String submit(Site site, Account user, Path work, String document)
      throws Exception {
    String said = site.run(user, work, "gridsub '" + document + "'").must();
    return said.replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();
  }

  private static String told(Site site, Account user, String line)
      throws IOException, InterruptedException {
    return site.run(user, site.folder(), line).out();
  }

  private static void awaitEnd(Site site, Account user, String id) throws Exception {
    Site.await(
        PATIENCE,
        "campaign " + id + " is over",
        () -> told(site, user, "gridstat " + id).contains("terminated"));
  }

  private static Path script(Site site, Account user, Path file, String text) throws Exception {
    Files.writeString(file, text);
    assertTrue(file.toFile().setExecutable(true, false));
    user.own(site.folder(), file);
    return file;
  }

  private static String document(Path work, String folder, String queue, int tasks, String more) {
    return "{\"name\": \""
        + folder
        + "\", \"exec_file\": \""
        + work
        + "/task.sh\", \"exec_directory\": \""
        + work
        + "/"
        + folder
        + "\", \"nb_jobs\": "
        + tasks
        + ", "
        + more
        + ", \"clusters\": {\""
        + queue
        + "\": {}}}";
  }

  @Test
  void jobsGoWhereAndWhenTheirTypeSays(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "types");
    script(
        site,
        user,
        work.resolve("task.sh"),
        "#!/bin/sh\necho $PBS_QUEUE $(cat $PBS_NODEFILE) >$1\n");
    String best = "partition=p1,best_effort=True,night_queue=typework";
    try (Queue nights = new Queue(site, "typework", "partition=p1");
        Queue spare = new Queue(site, "typebe", best)) {
      String day = night(2, 3);
      site.qmgr("set queue typework night_window = " + day);
      site.qmgr("set queue typebe night_window = " + day);
      String nightly = "\"type\": \"nightly\", \"walltime\": \"0:10:0\"";
      String refused = document(work, "no", "typebe", 1, nightly);
      assertEquals(
          "gridsub: JSON: /clusters/typebe: type nightly never goes to a queue with best_effort = True;"
              + " name another one\n",
          site.run(user, work, "gridsub '" + refused + "'").err());
      String id = submit(site, user, work, document(work, "nightly", "typework", 2, nightly));
      Site.await(
          PATIENCE,
          "it is told why its tasks wait",
          () ->
              told(site, user, "gridstat -c " + id + " -j 0")
                  .contains("typework: it is day there; its night is " + day));
      site.qmgr("set queue typework night_window = " + night(-1, 2));
      awaitEnd(site, user, id);
      String first = Files.readString(work.resolve("nightly/0")).strip();
      assertTrue(first.startsWith("typework "), first);
      properties(site, user, work, first.substring("typework ".length()));

      String semi = "\"type\": \"semi-best-effort\"";
      awaitEnd(site, user, submit(site, user, work, document(work, "day", "typebe", 2, semi)));
      assertTrue(Files.readString(work.resolve("day/1")).startsWith("typebe "));
      site.qmgr("set queue typebe night_window = " + night(-1, 2));
      String dark = submit(site, user, work, document(work, "dark", "typebe", 2, semi));
      awaitEnd(site, user, dark);
      assertTrue(Files.readString(work.resolve("dark/1")).startsWith("typework "));
      String shown = site.run(user, work, "gridstat -c " + dark).must();
      assertTrue(shown.contains("type: semi-best-effort, by night in typework\n"), shown);
      String normal = document(work, "normal", "typework", 2, "\"type\": \"normal\"");
      awaitEnd(site, user, submit(site, user, work, normal));
      assertTrue(Files.readString(work.resolve("normal/0")).startsWith("typework "));
    }
  }

  /** The node that a task has seen is asked for by its name. */
  private static void properties(Site site, Account user, Path work, String host) throws Exception {
    String there = "\"properties\": \"network_address = %s\"".formatted(host);
    awaitEnd(site, user, submit(site, user, work, document(work, "there", "typework", 3, there)));
    for (int task = 0; task < 3; task++) {
      assertEquals("typework " + host, Files.readString(work.resolve("there/" + task)).strip());
    }
    String wrong = document(work, "no", "typework", 1, "\"properties\": \"mem = 4gb\"");
    assertEquals(
        "gridsub: JSON: /clusters/typework: properties: mem is used up by jobs; let resources ask for it,"
            + " as mem=4gb\n",
        site.run(user, work, "gridsub '" + wrong + "'").err());
  }

  @Test
  void shortTasksShareAJobAndEachIsCountedOnce(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "groups");
    script(
        site,
        user,
        work.resolve("task.sh"),
        """
        #!/bin/sh
        [ $1 = %d ] && [ ! -e mended ] && exit 3
        if [ $1 = %d ] && mkdir waited 2>/dev/null; then echo $PBS_JOBID >id; sleep 300; fi
        echo $CIGRI_JOB_ID $CIGRI_JOB_NAME $MILLRACE_ATTEMPT $PBS_JOBID >>out-$1
        """
            .formatted(FAILING, KILLED));
    try (Queue bag = new Queue(site, "groupbag", "partition=p2")) {
      String more = "\"temporal_grouping\": true, \"walltime\": \"0:4:0\"";
      String id = submit(site, user, work, document(work, "done", "groupbag", TASKS, more));
      Path done = work.resolve("done");
      Site.await(PATIENCE, "one waits", () -> done.resolve("id").toFile().length() > 0);
      String job = Files.readString(done.resolve("id")).strip();
      // The script has begun before the campaign server was told that it has.
      String beside = "," + job + ",running,groupbag,";
      Site.await(
          PATIENCE,
          beside,
          () ->
              told(site, user, "gridstat -c " + id + " -f")
                  .lines()
                  .anyMatch(it -> it.contains(beside) && it.contains(" (after ")));
      site.run(user, work, "qdel " + job).must();
      String allButOne = (TASKS - 1) + "/" + TASKS;
      Site.await(
          PATIENCE, "one is left", () -> told(site, user, "gridstat " + id).contains(allButOne));
      String events = site.run(user, work, "gridevents -c " + id).must();
      assertTrue(events.contains("task " + FAILING + ", attempt "), events);
      assertTrue(events.contains(": exit status 3"), events);
      assertEquals(1, events.split("\\(open\\)", -1).length - 1, events);
      script(site, user, done.resolve("mended"), "");
      site.run(user, work, "gridevents -c " + id + " -f -r").must();
      awaitEnd(site, user, id);
      once(done);
      counted(site, Long.parseLong(id));
    }
  }

  /** Is deleted at the end of its test; where the test failed that hides nothing of why. */
  private record Queue(Site site, String name) implements AutoCloseable {
    Queue(Site site, String name, String more) throws Exception {
      this(site, name);
      site.qmgr("create queue " + name + " queue_type=e,enabled=t,started=t," + more);
    }

    @Override
    public void close() throws Exception {
      site.qmgr("delete queue " + name);
    }
  }

  /** Each has written one line, in far fewer jobs than there are tasks. */
  private static void once(Path done) throws IOException {
    Set<String> jobs = new HashSet<>();
    for (int task = 0; task < TASKS; task++) {
      List<String> lines = Files.readAllLines(done.resolve("out-" + task));
      assertEquals(1, lines.size(), task + ": " + lines);
      String[] words = lines.get(0).split(" ");
      assertEquals(List.of("" + task, "" + task), List.of(words).subList(0, 2));
      jobs.add(words[3]);
    }
    assertTrue(jobs.size() < TASKS / 2, jobs.size() + " jobs");
    assertTrue(Files.readString(done.resolve("out-" + KILLED)).contains(" 2 "), "tried again");
  }

  private static void counted(Site site, long id) throws Exception {
    int ends = 0;
    Set<Integer> tasks = new HashSet<>();
    for (Object fact :
        TopicContents.read(site.client(KafkaPrincipal.ADMIN), Topics.CAMPAIGN_LEDGER)) {
      if (fact instanceof AttemptEnded end
          && end.getCampaign() == id
          && end.getStatus() == TaskStatus.DONE) {
        ends++;
        tasks.add(end.getTask());
      }
    }
    assertEquals(TASKS, ends);
    assertEquals(TASKS, tasks.size());
  }
}
