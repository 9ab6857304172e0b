package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.http.NobodysServer;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes to slurmrestd, and what is made of its answers; those of 22.05.8 were recorded. */
class SlurmRestTest {

  private static final OutsideTag TAG = new OutsideTag("c1", "7", 1);

  private static final String REFUSED =
      "{\"meta\":{},\"errors\":[{\"error_code\":2000,"
          + "\"error\":\"Invalid partition name specified\"}]}";

  private static final CommandRunner NO_COMMAND =
      command -> {
        throw new AssertionError("a command was started");
      };

  /** Of slurmctld, to a token that was made with another key; GET nodes says less. */
  private static final String UNTAKEN =
      "{\"meta\":{},\"errors\":[{\"error_code\":5005,"
          + "\"error\":\"Zero Bytes were transmitted or received\"}]}";

  @TempDir Path folder;

  private ServerSocket listener;
  private final List<String> requests = new ArrayList<>();
  private volatile int status = 200;
  private volatile List<String> refused = List.of();
  private volatile String answer = "{}";

  @BeforeEach
  void serve() throws IOException {
    listener = new ServerSocket(0, 20, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::answer, "played-slurmrestd");
    thread.setDaemon(true);
    thread.start();
    tokens("alice:aa.bb.cc", "rw-------");
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  private void answer() {
    while (!listener.isClosed()) {
      try (Socket socket = listener.accept()) {
        StringBuilder text = new StringBuilder();
        while (!isWhole(text)) {
          int c = socket.getInputStream().read();
          if (c < 0) {
            break;
          }
          text.append((char) c);
        }
        synchronized (requests) {
          requests.add(text.toString());
        }
        boolean isRefused = refused.stream().anyMatch(it -> text.indexOf(it) >= 0);
        byte[] body = (isRefused ? UNTAKEN : answer).getBytes(StandardCharsets.UTF_8);
        String head =
            "HTTP/1.1 "
                + (isRefused ? 500 : status)
                + " x\r\nConnection: close\r\nContent-Length: ";
        socket.getOutputStream().write((head + body.length + "\r\n\r\n").getBytes());
        socket.getOutputStream().write(body);
      } catch (IOException e) {
        // This end was closed.
      }
    }
  }

  private static boolean isWhole(StringBuilder text) {
    int head = text.indexOf("\r\n\r\n");
    if (head < 0) {
      return false;
    }
    int at = text.indexOf("Content-Length: ");
    int length =
        at < 0 ? 0 : Integer.parseInt(text.substring(at + 16, text.indexOf("\r\n", at)).strip());
    return text.length() - head - 4 >= length;
  }

  private Path tokens(String line, String rights) throws IOException {
    Path file = folder.resolve("tokens");
    Files.deleteIfExists(file);
    Files.writeString(file, line + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
  }

  private ClusterFile file(String... more) throws IOException, ClusterFault {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = slurm",
                "cluster_name = hand",
                "spool = /spool",
                "command_limit_s = 5",
                "user.alice = alice"));
    lines.addAll(List.of(more));
    return ClusterFile.read(
        Files.write(folder.resolve("c1.properties"), lines), List.of(new SlurmKind()));
  }

  private SlurmSystem system() throws Exception {
    return new SlurmSystem(
        file(
            "rest = http://127.0.0.1:" + listener.getLocalPort(),
            "tokens = " + folder.resolve("tokens")),
        NO_COMMAND);
  }

  @Test
  void aStrangerInItsPlaceGetsNoToken() throws Exception {
    try (NobodysServer stranger = new NobodysServer()) {
      String[] keys = {"rest = " + stranger.url(), "tokens = " + folder.resolve("tokens")};
      Submitted said = new SlurmSystem(file(keys), NO_COMMAND).submit(order());
      String why = assertInstanceOf(Submitted.NotSent.class, said).why();
      assertTrue(why.contains("belongs to account nobody, so that nothing was sent"), why);
      assertEquals("", stranger.told());
    }
  }

  @Test
  void theCheckNamesTheStranger() throws Exception {
    try (NobodysServer stranger = new NobodysServer()) {
      String[] keys = {"rest = " + stranger.url(), "tokens = " + folder.resolve("tokens")};
      OutsideAnswer config =
          new OutsideAnswer(ProcessEnding.EXITED, 0, "ClusterName = hand\n", "", Duration.ZERO);
      List<String> lines =
          new SlurmKind()
              .check(file(keys), command -> config).stream().map(CheckLine::line).toList();
      String line =
          "wrong: the queue cannot be read: squeue: "
              + stranger.url()
              + " belongs to account nobody, so that nothing was sent there; if that is its server,"
              + " set 'rest_account = nobody'";
      assertTrue(lines.contains(line), lines::toString);
      assertEquals("", stranger.told());
    }
  }

  @Test
  void theAccountThatIsNamedGetsIt() throws Exception {
    try (NobodysServer named = new NobodysServer()) {
      String[] keys = {
        "rest = " + named.url(), "tokens = " + folder.resolve("tokens"), "rest_account = nobody"
      };
      new SlurmSystem(file(keys), NO_COMMAND).snapshot();
      assertTrue(named.told().contains("\nX-SLURM-USER-TOKEN: aa.bb.cc\n"));
    }
  }

  /** Its owner could say who asks. */
  @Test
  void aFileOfAnotherAccountIsNotUsed() throws Exception {
    Assumptions.assumeTrue(
        System.getProperty("user.name").equals("root"),
        "SlurmRestTest: SKIPPED: only root has another account");
    Path file = folder.resolve("tokens");
    Files.setAttribute(file, "unix:uid", 65534);
    Submitted said = system().submit(order());
    String why = assertInstanceOf(Submitted.NotSent.class, said).why();
    assertEquals(file + " belongs to nobody; chown root " + file, why);
    assertEquals(List.of(), requests);
  }

  /**
   * The first order may have been carried out; before the next one it is known whose fault it is.
   */
  @Test
  void aTokenThatSlurmctldDoesNotTakeIsItsAccountsTrouble() throws Exception {
    tokens("bob:dd.ee.ff\nalice:aa.bb.cc", "rw-------");
    refused = List.of("aa.bb.cc");
    answer = "{\"errors\":[],\"job_id\":17}";
    SlurmSystem system = system();
    assertInstanceOf(Submitted.SubmissionUnclear.class, system.submit(order()));
    for (int again = 0; again < 2; again++) {
      String why = assertInstanceOf(Submitted.AccountRefused.class, system.submit(order())).why();
      assertTrue(why.endsWith("not take it; make one with 'scontrol token'"), why);
    }
    assertEquals(1, requests.stream().filter(it -> it.startsWith("POST")).count());
    tokens("bob:dd.ee.ff\nalice:gg.hh.ii", "rw-------");
    assertInstanceOf(Submitted.Accepted.class, system.submit(order()));
  }

  @Test
  void whatSlurmctldTakesFromNobodyIsNotTheAccountsTrouble() throws Exception {
    tokens("bob:dd.ee.ff\nalice:aa.bb.cc", "rw-------");
    refused = List.of("aa.bb.cc", "dd.ee.ff");
    SlurmSystem system = system();
    assertInstanceOf(Submitted.SubmissionUnclear.class, system.submit(order()));
    assertInstanceOf(Submitted.SubmissionUnclear.class, system.submit(order()));
  }

  @Test
  void aScriptKeepsItsBytes() throws Exception {
    byte[] script = "echo grün €\n".getBytes(StandardCharsets.UTF_8);
    SlurmRequest request = SlurmRequest.of(List.of("sbatch", "--ntasks=1"), script);
    JsonNode sent = new ObjectMapper().readTree(request.body().orElseThrow());
    assertEquals("echo grün €\n", sent.path("script").asText());
    assertThrows(
        IllegalArgumentException.class,
        () -> SlurmRequest.of(List.of("sbatch"), new byte[] {(byte) 0xe4}));
  }

  /** With the token of the account, to which its jobs are shown whatever is hidden from others. */
  @Test
  void aJobIsAskedForInItsAccountsName() throws Exception {
    tokens("bob:dd.ee.ff\nalice:aa.bb.cc", "rw-------");
    answer = SlurmFixtures.text("squeue.json");
    List<OutsideId> ids = List.of(OutsideId.of(2), OutsideId.of(999_999));
    Map<OutsideId, Optional<OutsideJob>> jobs =
        ((Told.Answered<Map<OutsideId, Optional<OutsideJob>>>) system().byNumber("alice", ids))
            .value();
    assertEquals(Optional.empty(), jobs.get(ids.get(1)));
    assertEquals("alice", jobs.get(ids.get(0)).orElseThrow().account());
    assertTrue(requests.get(0).contains("X-SLURM-USER-TOKEN: aa.bb.cc"), requests::toString);
    assertInstanceOf(Told.Nothing.class, system().byNumber("carol", ids), "no token of carol");
  }

  /** Nothing was sent: that is no doubt, and not to be tried again. */
  @Test
  void whatHasNoRequestIsRefused() throws Exception {
    SlurmRest rest =
        new SlurmRest(
            file(
                "rest = http://127.0.0.1:" + listener.getLocalPort(),
                "tokens = " + folder.resolve("tokens")));
    OutsideAnswer answer =
        rest.order("alice", List.of("sbatch", "--ntasks=3000000000"), new byte[0]);
    Submitted said = SlurmWords.submitted(answer);
    String words = assertInstanceOf(Submitted.SubmissionRefused.class, said).words();
    assertTrue(words.contains("takes a number up to 2147483647 for ntasks"), words);
    assertEquals(List.of(), requests);
  }

  /** A path is nobody's word about an order. */
  @Test
  void pathsAreNoTrouble() {
    OutsideAnswer answer =
        new OutsideAnswer(
            ProcessEnding.EXITED,
            1,
            "",
            "token: /etc/connectors/munge has no token of alice\n",
            Duration.ZERO);
    assertInstanceOf(Controlled.ControlRefused.class, SlurmWords.controlled(answer));
    OutsideAnswer invalid =
        new OutsideAnswer(
            ProcessEnding.EXITED,
            1,
            "",
            "Batch job submission failed: Invalid wckey specified /home/socket\n",
            Duration.ZERO);
    assertInstanceOf(Submitted.SubmissionRefused.class, SlurmWords.submitted(invalid));
  }

  private String request() {
    synchronized (requests) {
      assertEquals(1, requests.size());
      return requests.get(0);
    }
  }

  private static OutsideSubmission order() {
    return new OutsideSubmission(
        TAG,
        "alice",
        "a \"name\" $(id)",
        new OutsideSubmission.OutsidePlace(Optional.of("batch"), List.of()),
        SomeAmounts.of(3, 0, Optional.of(61L)),
        new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
  }

  @Test
  void aSubmissionIsOneRequestInTheNameOfItsAccount() throws Exception {
    answer = "{\"errors\":[],\"job_id\":17,\"step_id\":\"BATCH\"}";
    Submitted said = system().submit(order());
    assertEquals(OutsideId.of(17), assertInstanceOf(Submitted.Accepted.class, said).id());
    String text = request();
    assertTrue(text.startsWith("POST /slurm/v0.0.38/job/submit HTTP/1.1\r\n"), text);
    assertTrue(text.contains("\r\nX-SLURM-USER-NAME: alice\r\n"), text);
    assertTrue(text.contains("\r\nX-SLURM-USER-TOKEN: aa.bb.cc\r\n"), text);
    JsonNode body = new ObjectMapper().readTree(text.substring(text.indexOf("\r\n\r\n") + 4));
    assertTrue(body.path("script").asText().startsWith("#!/bin/bash\n"));
    JsonNode job = body.path("job");
    assertEquals("a \"name\" $(id)", job.path("name").asText());
    assertEquals(TAG.toString(), job.path("comment").asText());
    assertEquals(TAG.toString(), job.path("wckey").asText());
    assertEquals("batch", job.path("partition").asText());
    assertEquals(3, job.path("cpus_per_task").asInt());
    assertEquals("3", job.path("environment").path("SLURM_CPUS_PER_TASK").asText());
    assertEquals(2, job.path("time_limit").asInt());
    assertFalse(job.path("requeue").asBoolean(true));
    assertEquals("/", job.path("current_working_directory").asText());
  }

  @Test
  void whatSlurmDoesNotWantIsARefusal() throws Exception {
    status = 500;
    answer = REFUSED;
    Submitted said = system().submit(order());
    String words = assertInstanceOf(Submitted.SubmissionRefused.class, said).words();
    assertTrue(words.contains("Invalid partition name specified"), words);
  }

  /** It may have been carried out. */
  @ParameterizedTest
  @ValueSource(strings = {"", "{", "<html>", "{\"errors\":[],\"job_id\":\"x\"}"})
  void whatCannotBeReadIsUnclear(String text) throws Exception {
    answer = text;
    assertInstanceOf(Submitted.SubmissionUnclear.class, system().submit(order()));
  }

  @Test
  void anErrorOfTheServerIsUnclear() throws Exception {
    status = 500;
    assertInstanceOf(Submitted.SubmissionUnclear.class, system().submit(order()));
  }

  @Test
  void whoIsNotThereHasTakenNothing() throws Exception {
    SlurmSystem system = system();
    listener.close();
    Submitted said = system.submit(order());
    String why = assertInstanceOf(Submitted.NotSent.class, said).why();
    assertTrue(why.contains("cannot be reached; see 'rest'"), why);
  }

  /** A token of one account keeps the others from nothing. */
  @Test
  void aRefusedTokenIsTheAccounts() throws Exception {
    status = 401;
    Submitted said = system().submit(order());
    String why = assertInstanceOf(Submitted.AccountRefused.class, said).why();
    assertTrue(why.contains("refuses the token of alice; make one with 'scontrol token'"), why);
  }

  @Test
  void whoHasNoTokenAsksNothing() throws Exception {
    tokens("bob:aa.bb.cc", "rw-------");
    Submitted said = system().submit(order());
    String why = assertInstanceOf(Submitted.AccountRefused.class, said).why();
    assertTrue(why.endsWith("has no token of alice; write a line alice:TOKEN"), why);
    assertEquals(List.of(), requests);
  }

  /** What slurmctld says of it would be taken for trouble of all accounts. */
  @Test
  void aTokenThatIsOverIsNotSent() throws Exception {
    tokens("alice:" + token("1700000000"), "rw-------");
    Submitted said = system().submit(order());
    String why = assertInstanceOf(Submitted.AccountRefused.class, said).why();
    assertTrue(why.contains("is over; make one with 'scontrol token'"), why);
    assertEquals(List.of(), requests);
  }

  @ParameterizedTest
  @CsvSource({
    "'alice:aa.bb.cc', rw-r--r--, can be read by others; chmod 600",
    "'alice:aa.bb', rw-------, ':1: this is not ACCOUNT:TOKEN'",
    "'', rw-------, names nobody; write a line ACCOUNT:TOKEN",
  })
  void aFileThatCannotBeUsedIsNoQuestion(String line, String rights, String why) throws Exception {
    tokens(line, rights);
    Told<List<OutsideJob>> told = system().snapshot();
    String said = assertInstanceOf(Told.Nothing.class, told).why();
    assertTrue(said.contains(why), said);
    assertEquals(List.of(), requests);
  }

  @Test
  void theQueueIsWhatTheCommandSays() throws Exception {
    answer = SlurmFixtures.text("squeue.json");
    Told<List<OutsideJob>> told = system().snapshot();
    OutsideAnswer said = new OutsideAnswer(ProcessEnding.EXITED, 0, answer, "", Duration.ZERO);
    assertEquals(SlurmQueue.read(said, Map.of(), it -> {}), told);
    assertTrue(request().startsWith("GET /slurm/v0.0.38/jobs HTTP/1.1\r\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "HOLD, POST /slurm/v0.0.38/job/12, {\"hold\":true}",
    "RELEASE, POST /slurm/v0.0.38/job/12, {\"hold\":false}",
    "DELETE, DELETE /slurm/v0.0.38/job/12, ''",
  })
  void ordersAboutJobs(OutsideAction action, String line, String body) throws Exception {
    answer = "{\"errors\":[]}";
    Controlled said = system().control(OutsideId.of(12), "alice", action);
    assertInstanceOf(Controlled.Done.class, said);
    assertTrue(request().startsWith(line + " HTTP/1.1\r\n"), request());
    assertTrue(request().endsWith("\r\n\r\n" + body), request());
  }

  @Test
  void aTaskGetsASignal() throws Exception {
    answer = "{\"errors\":[]}";
    system().signal(new OutsideId(12, 3), "alice", 10);
    assertTrue(request().startsWith("DELETE /slurm/v0.0.38/job/12_3?signal=10 "), request());
  }

  @Test
  void aJobThatIsNotThereIsGone() throws Exception {
    status = 500;
    answer = "{\"errors\":[{\"error\":\"Invalid job id specified\",\"error_number\":2017}]}";
    Controlled said = system().control(OutsideId.of(12), "alice", OutsideAction.DELETE);
    assertInstanceOf(Controlled.OutsideJobGone.class, said);
  }

  /** It has no request for that. */
  @Test
  void nothingIsSuspended() throws Exception {
    Controlled said = system().control(OutsideId.of(12), "alice", OutsideAction.SUSPEND);
    assertInstanceOf(Controlled.ControlRefused.class, said);
    assertEquals(List.of(), requests);
  }

  @ParameterizedTest
  @CsvSource({
    "rest = http://127.0.0.1:6820, rest and tokens go together",
    "rest = http://127.0.0.1:6820|tokens = /etc/tokens|mode = place|queue = q, slurmrestd lets nobody",
    "tokens = /etc/tokens, rest and tokens go together",
    "rest = http://n1:6820|tokens = /etc/tokens, https for another host",
    "rest = n1|tokens = /etc/tokens, an address as https://slurm.example.org:6820",
    "rest_account = x, rest_account says who listens",
    "rest = https://n1|tokens = /etc/tokens|rest_account = x, rest_account says who listens",
    "rest_account = X y, the name of an account",
  })
  void keysThatDoNotFit(String lines, String why) {
    ClusterFault fault = assertThrows(ClusterFault.class, () -> file(lines.split("\\|")));
    assertTrue(fault.getMessage().contains(why), fault::getMessage);
  }

  @ParameterizedTest
  @CsvSource({
    "1700000000, 2023-11-14T22:13:20Z",
    "0, 1970-01-01T00:00:00Z",
    "-9223372036854775808, 1970-01-01T00:00:00Z",
    "9223372036854775807, +36812-02-20T00:36:16Z"
  })
  void theEndOfATokenIsAMomentWhateverItSays(String seconds, Instant end) {
    assertEquals(Optional.of(end), new SlurmTokens(Map.of("alice", token(seconds))).end("alice"));
  }

  private static String token(String end) {
    byte[] claims = ("{\"exp\":" + end + "}").getBytes(StandardCharsets.UTF_8);
    return "a." + Base64.getUrlEncoder().encodeToString(claims) + ".c";
  }
}
