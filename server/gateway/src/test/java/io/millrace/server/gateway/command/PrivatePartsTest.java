package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.status.Views;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sees variables, program and arguments of a job (query_other_jobs_in_full). */
class PrivatePartsTest {

  private static final String SECRET = "x7301secret";
  private static final List<String> PRIVATE =
      List.of("Variable_List", "Submit_arguments", "executable", "argument_list");
  private static final List<String> PRIVILEGED = List.of("ann", "opal", "mary", "root");

  private final FakeSite site = new FakeSite();
  private final ObjectMapper json = new ObjectMapper();

  /** All of ann: 1 waits, 2 runs in a directory of its own, 3 is a program of a binary job. */
  @BeforeEach
  void jobs() {
    for (long number = 1; number <= 3; number++) {
      JobStatus status = number == 2 ? JobStatus.RUNNING : JobStatus.QUEUED;
      Job job = Jobs.fromScript(number, status);
      JobSpec spec = job.getSpec();
      spec.setOwner("ann");
      spec.setOutputPath("");
      spec.setErrorPath("");
      spec.setSubmitArguments("-v TOKEN=" + SECRET + " job.sh");
      List<Attribute> variables = new ArrayList<>(spec.getVariables());
      variables.addAll(Jobs.attributes("TOKEN", SECRET));
      spec.setVariables(variables);
      if (number == 2) {
        spec.setExtra(Jobs.attributes("sandbox", "PRIVATE"));
      }
      if (number == 3) {
        spec.setArgv(List.of("/bin/" + SECRET, "--password", SECRET));
      }
      site.jobs.put(number, job);
    }
    inFull("");
  }

  private void inFull(String value) {
    List<String> attributes =
        new ArrayList<>(
            List.of("server_host", "vm", "default_queue", "workq", "operators", "opal@*"));
    attributes.addAll(List.of("managers", "mary@*"));
    if (!value.isEmpty()) {
      attributes.addAll(List.of("query_other_jobs_in_full", value));
    }
    site.put(ObjectKind.SERVER, "server", attributes.toArray(String[]::new));
  }

  private JsonNode json(String user, String id) throws Exception {
    String told = site.run(user, "qstat", "-f", "-F", "json", id).output();
    return json.readTree(told).path("Jobs").path(id + ".vm");
  }

  @Test
  void othersSeeTheJobWithoutThemAndElseAsItIs() throws Exception {
    for (String id : List.of("1", "2", "3")) {
      ObjectNode whole = (ObjectNode) json("ann", id);
      assertTrue(whole.toString().contains(SECRET));
      ObjectNode seen = (ObjectNode) json("eve", id);
      assertEquals(whole.without(PRIVATE), seen);
      assertEquals("vm:/home/pbsu1/fromscript.o" + id, seen.path("Output_Path").asText());
    }
    assertTrue(json("eve", "2").path("jobdir").asText().startsWith("/home/pbsu1/pbs."));
  }

  @Test
  void noFormOfQstatHasThemAndNoOtherCommand() throws Exception {
    List<List<String>> lines =
        List.of(
            List.of("qstat", "-f"),
            List.of("qstat", "-f", "1"),
            List.of("qstat", "-fw", "3"),
            List.of("qstat", "-f", "-F", "dsv"),
            List.of("qstat", "-f", "-F", "json"),
            List.of("qstat", "-xf"),
            List.of("qstat", "-ans"),
            List.of("tracejob", "1"),
            List.of("why", "1"),
            List.of("qselect"));
    for (List<String> line : lines) {
      String told = site.run("eve", line.toArray(String[]::new)).output();
      assertFalse(told.isEmpty(), line.toString());
      assertFalse(told.contains(SECRET), line + ": " + told);
    }
  }

  @Test
  void ownerOperatorAndManagerSeeThem() throws Exception {
    for (String user : PRIVILEGED) {
      for (String id : List.of("1", "2", "3")) {
        assertEquals(json("ann", id), json(user, id), user);
        assertTrue(site.run(user, "qstat", "-f", id).output().contains(SECRET), user);
      }
    }
  }

  @Test
  void theServerMayShowThemToAllAsPbsDoes() throws Exception {
    inFull("True");
    assertEquals(json("ann", "3"), json("eve", "3"));
    inFull("False");
    assertFalse(json("eve", "3").has("argument_list"));
    assertEquals(json("ann", "3"), json("opal", "3"));
  }

  @Test
  void whoMayNotSeeTheJobsOfOthersIsNotHelpedByIt() throws Exception {
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "query_other_jobs",
        "False",
        "query_other_jobs_in_full",
        "True");
    assertEquals("", site.run("eve", "qstat", "-f").output());
    assertTrue(site.run("ann", "qstat", "-f").output().contains(SECRET));
  }

  /** A job's record is not changed by who looks at it. */
  @Test
  void theRecordStaysWhole() throws Exception {
    json("eve", "3");
    assertTrue(site.jobs.get(3L).toString().contains(SECRET));
  }

  @Test
  void overHttpItIsTheSame() throws Exception {
    Views views = new Views(site.site());
    assertFalse(all(views, "eve").contains(SECRET));
    for (String user : PRIVILEGED) {
      assertTrue(all(views, user).contains(SECRET), user);
    }
    inFull("True");
    assertEquals(all(views, "ann"), all(views, "eve"));
  }

  private static String all(Views views, String user) throws Exception {
    Views seen = views.seenBy(user, () -> "");
    return seen.jobs(JobFilter.all(true, user), 10).entries()
        + seen.job("3").orElseThrow().toString()
        + seen.why("3").orElseThrow();
  }

  /** Events go to all who listen: they hold nothing that is the owner's alone. */
  @Test
  void anEventHasThemForNobody() {
    for (Job job : site.jobs.values()) {
      assertFalse(new Views(site.site()).brief(job).toString().contains(SECRET));
    }
  }
}
