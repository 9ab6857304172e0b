package io.millrace.ops.faults.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.evidence.RequestLog;
import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client does whose submission failed, or of which nobody knows what came of it. */
class LoadTest {

  private static final String ID = "01a2b3c4-0000-7000-8000-0123456789ab";

  @TempDir Path folder;
  private final RequestLog requests = new RequestLog();

  private static final Load.QueueChoice ANYWHERE =
      new Load.QueueChoice() {
        @Override
        public List<String> submit(JobPlan plan) {
          return List.of();
        }

        @Override
        public String move(JobPlan plan) {
          return "";
        }
      };

  /** A home whose qsub notes how it was called. */
  private Home gateway(String name, String qsub) throws IOException {
    Home home = new Home(folder.resolve(name));
    Files.createDirectories(home.bin());
    Path program = home.bin().resolve("qsub");
    Files.writeString(program, "#!/bin/sh\necho \"$*\" >>" + calls() + "\n" + qsub);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  private Path calls() {
    return folder.resolve("calls");
  }

  /** The calls of qsub for one job, whose plan has no further commands. */
  private List<String> submit(Home... gateways) throws Exception {
    int seed = 1;
    while (JobPlan.of(seed, 0).operation().isPresent()) {
      seed++;
    }
    LoadFolder load = LoadFolder.in(folder);
    CommandClient client = new CommandClient(List.of(gateways), load.outputs());
    RunSize size = new RunSize(1, 0, 0, seed);
    try (Load clients = new Load(client, load, requests, size, ANYWHERE)) {
      clients.start();
      clients.release(1);
      clients.awaitDone();
    }
    return Files.readAllLines(calls());
  }

  @Test
  void whatIsOpenIsRepeatedUnderItsIdWhereverItCanBe() throws Exception {
    String open =
        "echo 'qsub: it is dark; it may still be carried out; repeated as qsub --command-id "
            + ID
            + " ... it is done once' >&2; exit 110\n";
    String knows = "case \"$*\" in *" + ID + "*) echo 7.site;; *) exit 1;; esac\n";
    List<String> calls = submit(gateway("dark", open), gateway("bright", knows));
    assertEquals(2, calls.size(), calls.toString());
    assertTrue(calls.get(1).startsWith("--command-id " + ID + " -N t000000 "), calls.toString());
    assertEquals(Set.of("7.site"), requests.jobIds());
  }

  @Test
  void whatWasNotSentIsSentAgain() throws Exception {
    String away =
        "[ $(wc -l <"
            + calls()
            + ") = 3 ] && echo 8.site && exit\n"
            + "echo 'qsub: no gateway at run/gateway.sock' >&2; exit 2\n";
    List<String> calls = submit(gateway("away", away));
    assertEquals(3, calls.size(), calls.toString());
    assertEquals(1, Set.copyOf(calls).size(), calls.toString());
    assertEquals(Set.of("8.site"), requests.jobIds());
  }

  @Test
  void aRefusalIsTakenAsOne() throws Exception {
    String refuses = "echo 'qsub: Unknown queue' >&2; exit 170\n";
    assertEquals(1, submit(gateway("refuses", refuses)).size());
    assertEquals(1, requests.refused());
  }
}
