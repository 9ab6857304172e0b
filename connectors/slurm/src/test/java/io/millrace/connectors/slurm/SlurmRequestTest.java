package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options of sbatch as fields of slurmrestd. */
class SlurmRequestTest {

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
        assertThrows(
                IllegalArgumentException.class, () -> SlurmRequest.of(words, new byte[0]))
            .getMessage());
  }
}
