package io.millrace.ops.bench.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.bench.outside.NotedCommands.NotedCall;
import io.millrace.ops.outside.peer.PeerCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongQueueTest {

  @TempDir Path folder;

  private String written(PeerCluster cluster, String one, long number) throws IOException {
    Path to = folder.resolve("answer");
    LongQueue.write(cluster, one, number, 3, to);
    return Files.readString(to);
  }

  @Test
  void whatASlurmSaysOfOneJobIsSaidOfMany() throws IOException {
    String one = "{\"errors\": [ ], \"jobs\": [ {\"job_id\": 7, \"tres\": { \"x\": [ ] } } ] }\n";
    assertEquals(
        "{\"errors\": [ ], \"jobs\": [ {\"job_id\": 1000000, \"tres\": { \"x\": [ ] } },"
            + "{\"job_id\": 1000001, \"tres\": { \"x\": [ ] } },"
            + "{\"job_id\": 1000002, \"tres\": { \"x\": [ ] } } ] }\n",
        written(PeerCluster.SLURM, one, 7));
    assertThrows(IOException.class, () -> written(PeerCluster.SLURM, one, 8));
    String none = "{\"errors\": [ ], \"jobs\": [ ] }\n";
    assertThrows(IOException.class, () -> written(PeerCluster.SLURM, none, 7));
  }

  /** squeue shows jobs that are over for some minutes; 660 of them 20,000 times are 44 GB. */
  @Test
  void ofTheJobsThatAreOverNothingIsSaid() throws IOException {
    String over = "{\"job_id\": 70, \"name\": \"a\\\"}],{ \\\\\", \"tres\": {\"x\": [ {} ]}}";
    String held = "{\"job_id\": 7, \"name\": \"{[\"}";
    String said =
        written(
            PeerCluster.SLURM,
            "{\"errors\": [ ], \"jobs\": [ " + over + ", " + held + "," + over + " ] }",
            7);
    assertEquals(
        "{\"errors\": [ ], \"jobs\": [ {\"job_id\": 1000000, \"name\": \"{[\"},"
            + "{\"job_id\": 1000001, \"name\": \"{[\"},{\"job_id\": 1000002, \"name\": \"{[\"} ] }",
        said);
  }

  @Test
  void whatAGridEngineSaysOfOneJobIsSaidOfMany() throws IOException {
    String job = "<job_list state=\"pending\"><JB_job_number>7</JB_job_number></job_list>";
    String said =
        written(
            PeerCluster.GRID_ENGINE,
            "<job_info><queue_info/><job_info>" + job + "</job_info></job_info>",
            7);
    assertTrue(said.contains("<JB_job_number>1000002<"), said);
    assertEquals(3, said.split("<job_list", -1).length - 1);
    assertTrue(said.endsWith("</job_list></job_info></job_info>"), said);
  }

  @Test
  void aNoteSaysWhichRunWasSubmitted() {
    List<NotedCall> calls = new ArrayList<>();
    NotedCommands.note("1795830388638 sbatch --parsable --comment=mr.c1.12.3 -x mr.c1.9.9", calls);
    NotedCommands.note(
        "1795830388639 qsub -terse -A mr.c2.7-4.1 -ac MILLRACE=mr.c2.7-4.1 -t 1-32 -r n", calls);
    NotedCommands.note("1795830388640 squeue --json", calls);
    NotedCommands.note("broken off", calls);
    assertEquals(
        List.of(
            new NotedCall(1795830388638L, "sbatch", "12 3", 1),
            new NotedCall(1795830388639L, "qsub", "7-4 1", 32),
            new NotedCall(1795830388640L, "squeue", "", 1)),
        calls);
  }
}
