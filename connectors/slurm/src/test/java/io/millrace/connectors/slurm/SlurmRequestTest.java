package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Options of sbatch as fields of slurmrestd. */
class SlurmRequestTest {

  /** It counts in minutes, and rounds up as Slurm's commands do. */
  @Test
  void anotherTimeLimitIsARequest() {
    for (int seconds : new int[] {60, 61, 119, 120, 121}) {
      List<String> words = List.of("scontrol", "update", "JobId=12_3", "TimeLimit=0:" + seconds);
      SlurmRequest request = SlurmRequest.of(words, new byte[0]);
      assertEquals("POST /slurm/v0.0.38/job/12_3", request.method() + " " + request.path());
      int minutes = seconds == 60 ? 1 : seconds <= 120 ? 2 : 3;
      assertEquals(Optional.of("{\"time_limit\":" + minutes + "}"), request.body());
    }
  }

  @Test
  void aJobOfSeveralHostsSaysWhatEachGives() throws Exception {
    List<String> words =
        List.of(
            "sbatch",
            "--ntasks=4",
            "--cpus-per-task=1",
            "--ntasks-per-node=2",
            "--mem-per-cpu=3M",
            "--nodes=2");
    String body = SlurmRequest.of(words, new byte[0]).body().orElseThrow();
    JsonNode job = new ObjectMapper().readTree(body).path("job");
    assertEquals(4, job.path("tasks").asInt());
    assertEquals(2, job.path("tasks_per_node").asInt());
    assertEquals(1, job.path("cpus_per_task").asInt());
    assertEquals(3, job.path("memory_per_cpu").asInt());
    assertEquals(2, job.path("nodes").asInt());
  }

  /** A real one answers "Operation not permitted", whatever the form of the names. */
  @Test
  void hostsAreNotNamed() {
    List<String> words = List.of("sbatch", "--nodelist=n1");
    assertEquals(
        "slurmrestd has no request for 'sbatch --nodelist'",
        assertThrows(IllegalArgumentException.class, () -> SlurmRequest.of(words, new byte[0]))
            .getMessage());
  }
}
