package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A word that a user has in variables, scripts and arguments of jobs, and nowhere else. Every door
 * is asked for these jobs by another user, by the owner, by an operator and by a manager.
 */
@Beside
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretIT {

  private static final String SECRET = "x7301secret";
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final List<String> PRIVATE =
      List.of("Variable_List", "Submit_arguments", "executable", "argument_list");

  /** Commands that tell of jobs, with the id of one in place of JOB. */
  private static final List<String> QUESTIONS =
      List.of(
          "qstat -f",
          "qstat -f JOB",
          "qstat -fw JOB",
          "qstat -xf",
          "qstat -tf",
          "qstat -f -F json",
          "qstat -xf -F json",
          "qstat -f -F dsv",
          "qstat -answ",
          "qstat -T",
          "qstat -Qf",
          "qstat -Bf",
          "qselect -x",
          "why JOB",
          "tracejob -v JOB",
          "pbsnodes -av",
          "qmgr -c 'print server'");

  private final ObjectMapper json = new ObjectMapper();
  private final Map<Account, String> bearers = new HashMap<>();
  private final List<String> ids = new ArrayList<>();
  private Site site;
  private Account owner;
  private Account other;
  private Account operator;
  private Account manager;
  private Path work;
  private Path mails;
  private WebCaller web;
  private LiveCell cell;
  private String cellJob;

  @BeforeAll
  void up() throws Exception {
    Assumptions.assumeTrue(Account.superuser(), "SecretIT: SKIPPED: only root makes users");
    site = Site.prepare("secret");
    site.up("--shards 2 --resources ncpus=8 --http 0").must();
    owner = site.user("mrsecret");
    other = site.user("mrsecoth");
    operator = site.user("mrsecopr");
    manager = site.user("mrsecmgr");
    work = site.folderOf(owner, "work");
    site.assumeOpenTo(other, "others' secrets");
    web = new WebCaller(Files.readString(site.home().ready("web")).strip());
    for (Account account : List.of(owner, other, operator, manager)) {
      String token = site.launcher("token create", "--user " + account.name()).must().strip();
      bearers.put(account, "Bearer " + token);
    }
    mails = site.folder().resolve("mails");
    Path mailer = site.folder().resolve("mailer");
    Files.writeString(mailer, "#!/bin/sh\ncat >>" + mails + "\n");
    Files.setPosixFilePermissions(mailer, PosixFilePermissions.fromString("rwxr-xr-x"));
    // Root's programs of attributes run as nobody.
    Files.createFile(mails);
    Files.setPosixFilePermissions(mails, PosixFilePermissions.fromString("rw-rw-rw-"));
    site.qmgr("set server mailer = " + mailer);
    site.qmgr("set server operators += " + operator.name() + "@*");
    site.qmgr("set server managers += " + manager.name() + "@*");
    jobs();
    cell();
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  /**
   * One that is held, one of a program, an array, and one that ran, was altered and was mailed
   * about.
   */
  private void jobs() throws Exception {
    Path script = work.resolve("job.sh");
    Files.writeString(script, "#!/bin/sh\nPASSWORD=" + SECRET + "\ntrue\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-------"));
    owner.own(site.folder(), work);
    String given = " -v TOKEN=" + SECRET + " ";
    ids.add(submit("qsub -h" + given + "job.sh"));
    ids.add(submit("qsub -h -- /bin/echo --password " + SECRET));
    ids.add(submit("qsub -h -J 1-3" + given + "job.sh"));
    String ran = submit("qsub -h -m abe -M " + other.name() + given + "job.sh");
    site.run(owner, work, "qalter -N renamed " + ran).must();
    site.run(owner, work, "qrls " + ran).must();
    site.awaitState(ran, "F");
    ids.add(ran);
    ids.add(submit("qsub" + given + "-- /bin/sh -c 'exec sleep 600' " + SECRET));
    site.awaitState(ids.get(4), "R");
  }

  private String submit(String line) throws Exception {
    return site.run(owner, work, line).must().strip();
  }

  private void cell() throws Exception {
    cell = LiveCell.ofFour(site, "sec");
    Path config = Files.createTempDirectory(site.folder(), "config");
    LiveCell.write(
        config,
        "complex",
        "slots s INT <= YES YES 1 1000\n"
            + "h_rt h_rt TIME <= YES NO 0:0:0 0\ns_rt s_rt TIME <= YES NO 0:0:0 0\n");
    LiveCell.write(config, "sched", "schedule_interval 0:0:1\n");
    LiveCell.write(
        config, "queue.all.q", "qname all.q\nhostlist @allhosts\nslots 2\nshell /bin/sh\n");
    String hosts = String.join(" ", cell.hosts());
    LiveCell.write(config, "hgrp", "group_name @allhosts\nhostlist " + hosts + "\n");
    cell.policy(config).must();
    String line = "qsub -terse -h -N kept -v TOKEN=" + SECRET + " -b y /bin/echo " + SECRET;
    cellJob = cell.type(owner, work, line).must().strip();
  }

  private Shell.Answer ask(Account who, String line) throws Exception {
    return site.run(who, site.folder(), line);
  }

  private ObjectNode job(Account who, String id) throws Exception {
    JsonNode answer = json.readTree(ask(who, "qstat -xf -F json " + id).must());
    return (ObjectNode) answer.path("Jobs").path(id);
  }

  /** Times pass meanwhile for a job that runs. */
  private static ObjectNode still(ObjectNode job) {
    return job.without(List.of("resources_used", "mtime"));
  }

  @Test
  void commandsOfAnotherUserTellNothing() throws Exception {
    for (String question : QUESTIONS) {
      for (String id : ids) {
        Shell.Answer answer = ask(other, question.replace("JOB", id));
        assertFalse((answer.out() + answer.err()).contains(SECRET), answer.toString());
        if (!question.contains("JOB")) {
          break;
        }
      }
    }
    for (String id : ids) {
      ObjectNode whole = job(owner, id);
      assertTrue(whole.toString().contains(SECRET), whole.toString());
      assertEquals(still(whole.without(PRIVATE)), still(job(other, id)));
    }
  }

  @Test
  void privilegedUsersSeeAll() throws Exception {
    for (Account who : List.of(owner, operator, manager)) {
      for (String id : ids) {
        assertEquals(still(job(owner, id)), still(job(who, id)), who.name());
        assertTrue(ask(who, "qstat -xf " + id).must().contains(SECRET), who.name());
      }
    }
  }

  @Test
  void filesHaveTheModesThatThePageTells() throws Exception {
    String page = Files.readString(site.checkout().resolve("docs/security.md"));
    assertEquals(List.of(), HomePlaces.of(page).wrong(site.home()));
  }

  @Test
  void gridEnginesCommandsTellNothing() throws Exception {
    for (String line : List.of("qstat -j ", "qstat -xml -j ")) {
      String whole = detail(owner, line);
      assertTrue(whole.contains(SECRET), whole);
      for (Account who : List.of(operator, manager)) {
        assertEquals(whole, detail(who, line));
      }
      String seen = detail(other, line);
      assertFalse(seen.contains(SECRET), seen);
      assertTrue(seen.contains("kept"), seen);
      assertFalse(seen.contains("env_list") || seen.contains("job_args"), seen);
    }
    for (String line : List.of("qstat -u '*'", "qstat -f -u '*'", "qstat -r -u '*'")) {
      String seen = cell.type(other, site.folder(), line).must();
      assertFalse(seen.contains(SECRET), seen);
    }
  }

  /** What the cell tells of its job, but for why it waits, which may change. */
  private String detail(Account who, String line) throws Exception {
    return cell.type(who, site.folder(), line + cellJob)
        .must()
        .replaceAll("(?s)(scheduling info|<messages>).*", "");
  }

  private JsonNode get(Account who, String path) throws Exception {
    return WebCaller.patiently(() -> web.get(path, bearers.get(who))).must(200).body();
  }

  private JsonNode post(Account who, String command, String... arguments) throws Exception {
    ObjectNode body = json.createObjectNode();
    for (String argument : arguments) {
      body.withArray("arguments").add(argument);
    }
    return WebCaller.patiently(
            () -> web.post("/v1/commands/" + command, bearers.get(who), "", body.toString()))
        .must(200)
        .body();
  }

  @Test
  void overHttpItIsTheSame() throws Exception {
    for (Account who : List.of(owner, other, operator, manager)) {
      boolean all = who != other;
      for (String path : List.of("/v1/jobs", "/v1/jobs?history=true&owner=" + owner.name())) {
        JsonNode page = get(who, path);
        assertTrue(page.path("jobs").has(ids.get(0)), page.toString());
        assertEquals(all, page.toString().contains(SECRET), who.name() + " " + page);
      }
      for (String id : ids) {
        JsonNode one = get(who, "/v1/jobs/" + id.replace("[", "%5B").replace("]", "%5D"));
        assertEquals(all, one.toString().contains(SECRET), who.name() + " " + one);
        assertEquals(all, one.path("job").has("Variable_List"), one.toString());
      }
      JsonNode command = post(who, "qstat", "-xf");
      assertEquals(all, command.path("stdout").asText().contains(SECRET), command.toString());
      JsonNode traced = post(who, "tracejob", ids.get(3));
      assertFalse(traced.toString().contains(SECRET), traced.toString());
      String far =
          "unset MILLRACE_HOME MILLRACE_SOCKET; export MILLRACE_CLIENT_TIMEOUT_S=60 MILLRACE_URL="
              + Files.readString(site.home().ready("web")).strip()
              + " MILLRACE_TOKEN="
              + bearers.get(who).substring("Bearer ".length());
      String told = ask(who, far + "; qstat -f " + ids.get(0)).must();
      assertEquals(all, told.contains(SECRET), told);
    }
  }

  @Test
  void eventsHaveItForNobody() throws Exception {
    try (WebEvents events = web.events("/v1/events?kinds=job", bearers.get(other), "")) {
      events.await("ready", it -> true);
      String id = submit("qsub -h -v TOKEN=" + SECRET + " -- /bin/echo " + SECRET);
      WebEvents.Event queued = events.await("job", it -> it.path("id").asText().equals(id));
      assertFalse(queued.data().toString().contains(SECRET), queued.toString());
      site.run(owner, work, "qdel " + id).must();
      events.await(
          "job",
          it -> {
            assertFalse(it.toString().contains(SECRET), it.toString());
            return it.path("id").asText().equals(id)
                && it.path("job").path("job_state").asText().equals("F");
          });
    }
  }

  @Test
  void theServerMayShowItToAllAsPbsDoes() throws Exception {
    site.qmgr("set server query_other_jobs_in_full = True");
    try {
      for (String id : ids) {
        assertEquals(still(job(owner, id)), still(job(other, id)));
      }
      assertTrue(get(other, "/v1/jobs").toString().contains(SECRET));
      assertEquals(detail(owner, "qstat -j "), detail(other, "qstat -j "));
      Shell.Answer refused =
          ask(other, "qmgr -c 'set server query_other_jobs_in_full = True' 2>&1");
      assertNotEquals(0, refused.status(), refused.toString());
    } finally {
      site.qmgr("unset server query_other_jobs_in_full");
    }
    assertFalse(job(other, ids.get(0)).toString().contains(SECRET));
  }

  /** The run is over, altered and told by mail: all that is written of it has been written. */
  @Test
  void logsAccountingAndMailDoNotHaveIt() throws Exception {
    String root = site.home().root().toString();
    String written =
        "cd " + root + "; find log server_logs sched_logs* server_priv -path '*/.state' -prune -o";
    Site.await(
        SOON,
        "the end of the run is in accounting",
        () -> said("grep -c ';E;" + ids.get(3) + "' " + root + "/server_priv/accounting/2*"));
    Site.await(SOON, "and in mail", () -> said("grep -c 'Execution terminated' " + mails));
    assertEquals("", site.run("grep -l " + SECRET + " " + mails).out());
    assertEquals("", site.run(written + " -type f -exec grep -l " + SECRET + " {} +").out());
    assertEquals("", site.run(written + " -type f -perm /o=rwx -print").must());
    assertEquals("", site.run(written + " -type d -perm /o=rwx -print").must());
    String files = site.run(written + " -type f -print").must();
    for (String kind : List.of("log/gateway.log", "server_logs/2", "sched_logs/2")) {
      assertTrue(files.contains(kind), files);
    }
    // Whatever another user can read in the home does not have it either.
    assertEquals("", ask(other, "grep -rsl " + SECRET + " " + root + "; true").must());
    assertNotEquals(0, ask(other, "cat " + root + "/server_logs/*").status());
  }

  private boolean said(String line) throws IOException, InterruptedException {
    return site.run(line).status() == 0;
  }
}
