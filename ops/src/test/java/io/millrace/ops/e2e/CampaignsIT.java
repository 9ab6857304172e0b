package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.TaskMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksTakenBack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * A campaign over the queues of two partitions, whose scripts each write a line; the campaign
 * server is killed in the middle. A task fails, and is run again when its event is fixed, and told
 * by mail; one is deleted with qdel and tried again; two want another attempt by their exit status.
 * Then a queue that is stopped, and a campaign that is deleted with its running jobs; a task that
 * gets a replica; a test; the same over HTTP.
 */
@Order(2)
@Shared(user = "mrcampaign")
class CampaignsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int TASKS = Site.NIGHT ? 3_000 : 60;
  private static final Path DESCRIPTIONS =
      Path.of("../server/campaigns/src/test/resources/io/millrace/server/campaigns/jdl");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FAILING = 7;

  /** One task waits to be killed the first time that it runs. */
  private static final int KILLED = 11;

  /** The first attempts of two want another one, now and at the end. */
  private static final int AGAIN = 13;

  private static final int AT_THE_END = 14;

  @Test
  void eachTaskRunsOnce(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "campaign");
    for (int i = 1; i <= 2; i++) {
      site.qmgr("create queue bag" + i + " queue_type=e,enabled=t,started=t,partition=p" + i);
    }
    Path said = Files.createFile(site.folder().resolve("said-of-campaigns"));
    Files.setPosixFilePermissions(said, PosixFilePermissions.fromString("rw-rw-rw-"));
    Path mailer = site.folder().resolve("mailer-of-campaigns");
    Files.writeString(mailer, "#!/bin/sh\necho to $3 >>%1$s; cat >>%1$s\n".formatted(said));
    Files.setPosixFilePermissions(mailer, PosixFilePermissions.fromString("rwxr-xr-x"));
    site.qmgr("set server mailer = " + mailer);
    try {
      CampaignEventsHeard events = new CampaignEventsHeard(site, user);
      String id = once(site, user, work);
      events.hasFailedAndEnded(id, TASKS, user.name());
      letter(site, user, said, id);
      further(site, user, work, id);
    } finally {
      site.qmgr("unset server mailer");
    }
    affinity(site, user, work);
    rights(site, user, work);
    overHttp(site, user, work);
    if (Site.NIGHT) {
      stopped(site, user, work);
      deletion(site, user, work);
      late(site, user, work);
      trial(site, user, work);
      admission(site, user, work);
    }
  }

  /** A file of parameters is read with the rights of who names it. */
  private static void rights(Site site, Account user, Path work) throws Exception {
    Path file = Files.writeString(site.folder().resolve("closed-parameters"), "1\n2\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    String check =
        "gridsub --check '{\"name\": \"closed\", \"exec_file\": \"/bin/true\", \"param_file\": \""
            + file
            + "\", \"exec_directory\": \"/tmp\", \"clusters\": {\"bag1\": {}}}'";
    Shell.Answer refused = site.run(user, work, check);
    String said = "gridsub: JSON: /param_file: " + file + ": Permission denied\n";
    assertEquals(said, Account.superuser() ? refused.err() : said);
    user.own(site.folder(), file);
    site.run(user, work, check).must();
  }

  /** Managers set affinities, and a user steps back; wrong ones are refused in one line. */
  private static void affinity(Site site, Account user, Path work) throws Exception {
    String name = user.name();
    assertEquals("", site.run("gridaffinity " + name + " bag1 5").must());
    String listed = site.run(user, work, "gridaffinity").must();
    assertTrue(listed.startsWith("User             Cluster         Affinity\n"), listed);
    assertTrue(listed.matches("(?s).*\n" + name + " +bag1 +5\n"), listed);
    Shell.Answer more = site.run(user, work, "gridaffinity " + name + " bag1 6");
    String said = "gridaffinity: your affinity there is 5; only managers raise it\n";
    assertEquals(said, Account.superuser() ? more.err() : said);
    site.run(user, work, "gridaffinity " + name + " bag1 -3").must();
    assertEquals("", site.run("gridaffinity " + name + " bag1 0").must());
    assertEquals(
        "gridaffinity: there is no cluster nowhere\n",
        site.run("gridaffinity " + name + " nowhere 1").err());
    Shell.Answer wrong = site.run("gridaffinity " + name + " bag1 much");
    assertEquals(2, wrong.status());
    assertEquals(
        "gridaffinity: 'much' is no affinity; it is a whole number from -1000 to 1000\n",
        wrong.err());
    assertEquals("usage: gridaffinity [USER CLUSTER N]\n", site.run("gridaffinity bag1").err());
  }

  /** Rules that managers set are asked for each way of submission. */
  private static void admission(Site site, Account user, Path work) throws Exception {
    Path rules = work.resolve("rules.json");
    String rule =
        "[{\"rule\": \"jdl.nb_jobs < 3 || 'none' in groups\", \"message\": \"too many\"}]";
    Files.writeString(rules, rule.replace("groups", "grups"));
    String wrong =
        assertThrows(
                Shell.Failed.class, () -> site.launcher("campaigns", "admission " + rules).must())
            .getMessage();
    assertTrue(wrong.contains("rule 1: 1:30: undeclared reference to 'grups'"), wrong);
    Files.writeString(rules, rule);
    assertEquals("admission rules: 1\n", site.launcher("campaigns", "admission " + rules).must());
    try {
      String document =
          "{\"name\": \"many\", \"exec_file\": \"/bin/true\", \"exec_directory\": \""
              + work
              + "\", \"nb_jobs\": 3, \"clusters\": {\"bag1\": {}}}";
      Shell.Answer refused = site.run(user, work, "gridsub '" + document + "'");
      String said = "bag1: too many (admission rule 1)";
      assertEquals("gridsub: " + said + "\n", refused.err());
      WebCaller web = new WebCaller(Files.readString(site.home().ready("web")).strip());
      String token = site.launcher("token create", "--user " + user.name()).must().strip();
      WebCaller.Answer answer = web.post("/cigri/campaigns", "Bearer " + token, "", document);
      assertEquals(said, answer.must(400).body().path("message").asText());
      site.run(user, work, "gridsub '" + document.replace(": 3", ": 2") + "'").must();
    } finally {
      Files.writeString(rules, "[]");
      site.launcher("campaigns", "admission " + rules).must();
    }
  }

  /** The task that failed is told in one letter, which comes when its campaign goes on. */
  private static void letter(Site site, Account user, Path said, String id) throws Exception {
    Site.await(PATIENCE, "a letter", () -> said.toFile().length() > 0);
    String text = Files.readString(said);
    assertTrue(text.startsWith("to told@example.org\n"), text);
    assertTrue(text.contains("\nSubject: [CIGRI] (high): EXIT_ERROR of campaign " + id), text);
    assertTrue(text.contains("EXIT_ERROR of campaign " + id + " (demo) on bag"), text);
    assertTrue(text.contains(": exit status 3\n"), text);
    String list = site.run(user, site.folder(), "gridnotify -l").must();
    assertTrue(list.endsWith(" - mail on told@example.org with severity high\n"), list);
    site.run(user, site.folder(), "gridnotify -m told@example.org -u").must();
    assertEquals("", site.run(user, site.folder(), "gridnotify -l").must());
    Shell.Answer wrong = site.run(user, site.folder(), "gridnotify -j me@chat -s low");
    assertEquals(2, wrong.status());
    assertEquals(
        "gridnotify: -j: nobody is told by jabber (xmpp) here; -m tells by mail\n", wrong.err());
  }

  private static String once(Site site, Account user, Path work) throws Exception {
    site.run(user, work, "gridnotify -m told@example.org -s high").must();
    script(
        site,
        user,
        work.resolve("task.sh"),
        """
        #!/bin/sh
        [ $1 = %d ] && [ ! -e mended ] && exit 3
        [ $1 = %d ] && mkdir now 2>/dev/null && exit 66
        [ $1 = %d ] && mkdir end 2>/dev/null && exit 67
        if [ $1 = %d ] && [ ! -e waited ]; then touch waited; echo $PBS_JOBID >id; sleep 300; fi
        echo $1 $CIGRI_CAMPAIGN_ID $CIGRI_JOB_NAME $PBS_QUEUE >>out-$1
        """
            .formatted(FAILING, AGAIN, AT_THE_END, KILLED));
    String both = "\"clusters\": {\"bag1\": {}, \"bag2\": {\"walltime\": \"00:10:00\"}}";
    String document =
        "{\"name\": \"demo\", \"exec_file\": \""
            + work
            + "/task.sh\", \"exec_directory\": \""
            + work
            + "/done/{CAMPAIGN_ID}\", \"nb_jobs\": "
            + TASKS
            + ", "
            + both
            + "}";
    Path file = script(site, user, work.resolve("demo.json"), document);
    String said = site.run(user, work, "gridsub " + file).must();
    String id = said.replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();
    String kept = site.run(user, work, "gridstat -J " + id).must();
    assertEquals(JSON.readTree(document), JSON.readTree(kept));
    Path done = work.resolve("done").resolve(id);

    Site.await(PATIENCE, "a third is done", () -> outputs(done).size() > TASKS / 3);
    site.killAndUp("campaigns");
    Site.await(PATIENCE, "one waits to be killed", () -> done.resolve("id").toFile().length() > 0);
    site.run(user, work, "qdel " + Files.readString(done.resolve("id")).strip()).must();
    String allButOne = (TASKS - 1) + "/" + TASKS;
    Site.await(
        PATIENCE, "one is left", () -> told(site, user, "gridstat " + id).contains(allButOne));
    fix(site, user, work, id);
    Site.await(
        PATIENCE, "all are over", () -> told(site, user, "gridstat " + id).contains("terminated"));

    allRanOnce(done, id);
    String shown = site.run(user, work, "gridstat -c " + id).must();
    assertTrue(shown.contains("Progress: " + TASKS + "/" + TASKS), shown);
    counted(site, Long.parseLong(id));
    return id;
  }

  /** A campaign that has ended gets one job more, whose own job is known when it is over. */
  private static void further(Site site, Account user, Path work, String id) throws Exception {
    String said = site.run(user, work, "gridsub -c " + id + " -J '[\"more x\"]'").must();
    assertEquals("Jobs successfully added to campaign " + id + "\n", said);
    String all = (TASKS + 1) + "/" + (TASKS + 1);
    Site.await(PATIENCE, "it runs", () -> told(site, user, "gridstat " + id).contains(all));
    String shown = site.run(user, work, "gridstat -f -o " + TASKS + " " + id).must();
    // Its line is forgotten with the campaign's second end.
    String line = id + "." + TASKS + ",[0-9]+\\.\\S+,terminated,bag[12],\\*,\\*";
    assertTrue(shown.matches("(?s).*\n  " + TASKS + ": " + line + "\n"), shown);
    assertTrue(outputs(work.resolve("done").resolve(id)).contains("out-more"));
  }

  /** Each task has written one line, and both clusters had some. */
  private static void allRanOnce(Path done, String id) throws IOException {
    List<String> outputs = outputs(done);
    assertEquals(TASKS, outputs.size());
    boolean[] queues = new boolean[2];
    for (String name : outputs) {
      List<String> lines = Files.readAllLines(done.resolve(name));
      assertEquals(1, lines.size(), name + ": " + lines);
      String task = name.substring("out-".length());
      String[] words = lines.get(0).split(" ");
      assertEquals(List.of(task, id, task), List.of(words).subList(0, 3));
      queues[words[3].equals("bag1") ? 0 : 1] = true;
    }
    assertTrue(queues[0] && queues[1], "both clusters took part");
  }

  /**
   * A task that would take minutes on one cluster is done by its replica on the other; scripts run
   * before and after, once on each.
   */
  private static void late(Site site, Account user, Path work) throws Exception {
    script(
        site,
        user,
        work.resolve("late.sh"),
        """
        #!/bin/sh
        [ $PBS_QUEUE = bag1 ] && mkdir late 2>/dev/null && exec sleep 300
        sleep 2
        echo $PBS_JOBID >>done-$1
        """);
    String document =
        "{\"name\": \"late\", \"finalize\": true, \"prologue\": [\"echo $PBS_QUEUE >>before\"],"
            + " \"epilogue\": [\"ls | grep -c done- >>after\"], \"exec_file\": \""
            + work
            + "/late.sh\", \"exec_directory\": \""
            + work
            + "/late/{CAMPAIGN_ID}\", \"nb_jobs\": 40, \"clusters\": {\"bag1\": {}, \"bag2\": {}}}";
    String id =
        site.run(user, work, "gridsub '" + document + "'")
            .must()
            .replaceFirst("(?s).*CAMPAIGN_ID=", "")
            .strip();
    Site.await(
        PATIENCE, "it is over", () -> told(site, user, "gridstat " + id).contains("terminated"));
    String shown = site.run(user, work, "gridstat " + id).must();
    assertTrue(shown.contains("Progress: 40/40 (100%)"), shown);
    assertTrue(shown.contains("replicas: 1, 1 counted"), shown);
    Path folder = work.resolve("late").resolve(id);
    for (int task = 0; task < 40; task++) {
      assertEquals(1, Files.readAllLines(folder.resolve("done-" + task)).size(), "task " + task);
    }
    String jobs = site.run(user, work, "gridstat -f " + id).must();
    assertTrue(jobs.contains("\n  39: " + id + ".39,*,terminated,bag2,*,*\n"), jobs);
    List<String> before = new ArrayList<>(Files.readAllLines(folder.resolve("before")));
    before.sort(null);
    assertEquals(List.of("bag1", "bag2"), before);
    assertEquals(List.of("40", "40"), Files.readAllLines(folder.resolve("after")));
  }

  /** A test has a task on each cluster, and no more. */
  private static void trial(Site site, Account user, Path work) throws Exception {
    String document =
        "{\"name\": \"trial\", \"exec_file\": \"/bin/true\", \"exec_directory\": \""
            + work
            + "\", \"nb_jobs\": 5000, \"clusters\": {\"bag1\": {}, \"bag2\": {}}}";
    String id =
        site.run(user, work, "gridsub -t test '" + document + "'")
            .must()
            .replaceFirst("(?s).*CAMPAIGN_ID=", "")
            .strip();
    Site.await(
        PATIENCE, "it is over", () -> told(site, user, "gridstat " + id).contains("terminated"));
    String shown = site.run(user, work, "gridstat " + id).must();
    assertTrue(shown.contains("Type: test"), shown);
    assertTrue(shown.contains("Progress: 2/2 (100%)"), shown);
    assertEquals(2, shown.split("finished_jobs: 1\n", -1).length - 1, shown);
  }

  /** The same at the door for HTTP, with a token; wrong descriptions leave nothing behind. */
  private static void overHttp(Site site, Account user, Path work) throws Exception {
    WebCaller web = new WebCaller(Files.readString(site.home().ready("web")).strip());
    String token = "Bearer " + site.launcher("token create", "--user " + user.name()).must();
    String bearer = token.strip();
    String all = "/cigri/campaigns";
    for (String file : List.of("wrong.txt", "broken.txt")) {
      for (String block : Files.readString(DESCRIPTIONS.resolve(file)).strip().split("\n\n")) {
        String[] parts = block.split("\n", 2);
        WebCaller.Answer answer = web.post(all, bearer, "", parts[1]).must(400);
        String said = answer.body().path("message").asText();
        assertTrue(said.startsWith(parts[0]), parts[0] + ": " + said);
      }
    }
    String document =
        "{\"name\": \"far\", \"exec_file\": \"/bin/sleep\", \"exec_directory\": \""
            + work
            + "\", \"params\": [\"300\", \"301\"], \"clusters\": {\"bag1\": {}}}";
    assertEquals(401, web.post(all, "Bearer none", "", document).status());
    assertEquals(0, web.get(all, bearer).must(200).body().path("total").asInt(), "none is stored");
    String id = web.post(all, bearer, "", document).must(201).body().path("id").asText();
    String one = all + "/" + id;
    Site.await(
        PATIENCE, "both run", () -> told(site, user, "gridstat " + id).contains("running_jobs: 2"));
    assertEquals(JSON.readTree(document), web.get(one + "/jdl", bearer).must(200).body());
    List<String> states =
        web.get(one + "/jobs", bearer).must(200).body().path("items").findValuesAsText("state");
    assertEquals(List.of("running", "running"), states);
    assertEquals(
        "paused", web.put(one, bearer, "state=paused").must(202).body().at("/state").asText());
    assertTrue(told(site, user, "gridstat").contains(" P  0/2 (0%)"));
    web.delete(one, bearer).must(202);
    Site.await(
        PATIENCE,
        "nothing is left of it",
        () -> told(site, user, "gridstat " + id).contains("running_jobs: 0"));
    assertTrue(
        web.get("/openapi.json", bearer).body().at("/paths/~1cigri~1campaigns/post").isObject());
  }

  /** The event of the task that fails, which runs well once something is mended. */
  private static void fix(Site site, Account user, Path work, String id) throws Exception {
    String shown = site.run(user, work, "gridstat -c " + id + " -e").must();
    assertTrue(shown.contains("State: in_treatment (events)"), shown);
    assertTrue(shown.contains(": (open) EXIT_ERROR of job "), shown);
    assertTrue(shown.contains("task " + FAILING + ", attempt 1: exit status 3"), shown);
    String event = shown.replaceFirst("(?s).*?(\\d+): \\(open\\).*", "$1");
    Shell.Answer wrong = site.run(user, work, "gridevents -r -e " + event);
    assertEquals("gridevents: -r needs -f\n", wrong.err());
    assertEquals(2, wrong.status());
    assertEquals(
        "gridevents: there is no event 99999\n",
        site.run(user, work, "gridevents -e 99999 -f").err());
    script(site, user, work.resolve("done").resolve(id).resolve("mended"), "");
    site.run(user, work, "gridevents -e " + event + " -f -r").must();
    assertEquals("", site.run(user, work, "gridevents -c " + id).must());
    String all = site.run(user, work, "gridevents -a -c " + id).must();
    assertTrue(all.contains(event + ": (closed) EXIT_ERROR of job "), all);
    assertTrue(all.contains(" by " + user.name()), all);
  }

  /** A queue that is stopped keeps all campaigns away until it is started. */
  private static void stopped(Site site, Account user, Path work) throws Exception {
    site.qmgr("set queue bag2 started = False");
    String document =
        "{\"name\": \"late\", \"exec_file\": \"/bin/true\", \"exec_directory\": \""
            + work
            + "\", \"nb_jobs\": 1, \"clusters\": {\"bag2\": {}}}";
    String id =
        site.run(user, work, "gridsub '" + document + "'")
            .must()
            .replaceFirst("(?s).*CAMPAIGN_ID=", "")
            .strip();
    Site.await(
        PATIENCE,
        "it is told",
        () -> told(site, user, "gridevents -g").contains("queue bag2 is stopped"));
    String global = site.run(user, work, "gridevents -g").must();
    assertTrue(global.contains(": (open) QUEUE_STOPPED at "), global);
    assertTrue(global.contains(": (open) BLACKLIST at "), global);
    assertTrue(
        site.run(user, work, "gridclusters").must().contains("bag2, partition p2 (BLACKLISTED), "));
    String why = site.run(user, work, "gridstat -c " + id + " -j 0").must();
    assertTrue(why.contains("  Why: it waits to be sent; it is the next of its campaign\n"), why);
    assertTrue(why.contains("    bag2: blacklisted for all, by event "), why);
    assertTrue(why.contains(": queue bag2 is stopped\n"), why);
    site.qmgr("set queue bag2 started = True");
    Site.await(
        PATIENCE, "it runs", () -> told(site, user, "gridstat " + id).contains("terminated"));
    assertEquals("", site.run(user, work, "gridevents -g").must());
    String used = site.run(user, work, "gridclusters -u").must();
    assertTrue(used.contains("bag2, partition p2\n    max_resources: 8\n"), used);
  }

  /** The ledger has one end of each task. How many are taken back depends on the machine. */
  private static void counted(Site site, long id) throws Exception {
    List<Integer> ended = new ArrayList<>();
    Set<Integer> leaving = new HashSet<>();
    int again = 0;
    int failed = 0;
    for (Object fact :
        TopicContents.read(site.client(KafkaPrincipal.ADMIN), Topics.CAMPAIGN_LEDGER)) {
      if (fact instanceof TasksTakenBack taken && taken.getCampaign() == id) {
        leaving.addAll(taken.getTasks());
      } else if (fact instanceof TaskMoved moved
          && moved.getTask().getCampaign() == id
          && !moved.getTask().getLeaving()) {
        leaving.remove(moved.getTask().getTask()); // it began before
      } else if (fact instanceof AttemptEnded end && end.getCampaign() == id) {
        boolean takenBack = leaving.remove(end.getTask());
        if (end.getStatus() == TaskStatus.WAITING || end.getStatus() == TaskStatus.POSTPONED) {
          again += takenBack ? 0 : 1;
        } else if (end.getStatus() == TaskStatus.EVENT) {
          failed++;
        } else {
          ended.add(end.getTask());
        }
      }
    }
    assertEquals(TASKS, ended.size());
    assertEquals(TASKS, ended.stream().distinct().count());
    assertEquals(3, again, "the one that was deleted, and those that wanted it");
    assertEquals(1, failed, "the one that was run again");
  }

  private static void deletion(Site site, Account user, Path work) throws Exception {
    String document =
        "{\"name\": \"long\", \"exec_file\": \"/bin/sleep\", \"exec_directory\": \""
            + work
            + "\", \"params\": [\"300\", \"301\"], \"clusters\": {\"bag1\": {}}}";
    Path file = script(site, user, work.resolve("long.json"), document);
    String id =
        site.run(user, work, "gridsub " + file)
            .must()
            .replaceFirst("(?s).*CAMPAIGN_ID=", "")
            .strip();
    Site.await(
        PATIENCE, "both run", () -> told(site, user, "gridstat " + id).contains("running_jobs: 2"));
    Shell.Answer wrong = site.run(user, work, "griddel 999");
    assertEquals("griddel: there is no campaign 999\n", wrong.err());
    site.run(user, work, "griddel " + id).must();
    Site.await(
        PATIENCE,
        "nothing is left of it",
        () -> told(site, user, "gridstat " + id).contains("running_jobs: 0"));
    assertTrue(told(site, user, "gridstat -u " + user.name()).contains("C  0/2 (0%)"));
    Shell.Answer refused =
        site.run(user, work, "gridsub '" + document.replace("bag1", "nowhere") + "'");
    assertEquals("gridsub: JSON: /clusters/nowhere: Unknown queue\n", refused.err());
  }

  private static Path script(Site site, Account user, Path file, String text) throws Exception {
    Files.writeString(file, text);
    file.toFile().setExecutable(true, false);
    user.own(site.folder(), file);
    return file;
  }

  private static List<String> outputs(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("out-"))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String told(Site site, Account user, String line)
      throws IOException, InterruptedException {
    return site.run(user, site.folder(), line).out();
  }
}
