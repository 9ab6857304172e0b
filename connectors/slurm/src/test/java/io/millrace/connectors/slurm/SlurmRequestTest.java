package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
}
