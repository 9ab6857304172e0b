package io.millrace.ops.origin2000;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OriginPolicyTest {

  @TempDir Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void aFolderIsReadWithTheFilesBesideItsConfig() throws IOException {
    Path config = write("config", "# ours\nSUBMIT_QUEUE s\nBATCH_QUEUES a@h1 # first\n");
    write("holidays", "315 Nov 11 x\n100 Jan 1 y\n");
    write("decay_usage", "Tue\ng1:ann 5\nwhat\n");
    write("allocations", "P= a = g1 = 5\nnothing\n");
    assertEquals(Optional.of(config), OriginPolicy.config(folder));
    assertEquals(Optional.of(config), OriginPolicy.config(config));
    OriginPolicy policy = OriginPolicy.read(config);
    assertEquals(
        "an Origin2000 scheduler, 2 options set, all valid; with holidays, decay_usage, allocations",
        policy.summary());
    assertEquals(
        List.of(
            folder + "/holidays:2: day 100 is not Jan 1; the day counts",
            folder + "/decay_usage:3: the line is skipped",
            folder + "/allocations:2: the line is skipped"),
        policy.notes());
    assertTrue(policy.explanation().get(2).startsWith("BATCH_QUEUES = a@h1: The queues"));
  }

  @Test
  void aWrongLineIsRefusedWithItsFile() throws IOException {
    Path config = write("config", "SUBMIT_QUEUE s\nBATCH_QUEUE a\n");
    String message =
        assertThrows(ConfigurationRefused.class, () -> OriginPolicy.read(config)).getMessage();
    assertEquals(config + ":2: 'BATCH_QUEUE' is no option (nearest: BATCH_QUEUES)", message);
  }

  @Test
  void otherTextsAreNotOurs() throws IOException {
    assertEquals(Optional.empty(), OriginPolicy.config(folder));
    assertEquals(Optional.empty(), OriginPolicy.config(write("sched_config", "by_queue: True\n")));
    assertEquals(Optional.empty(), OriginPolicy.config(write("sched", "algorithm default\n")));
    assertEquals(Optional.empty(), OriginPolicy.config(write("empty", "")));
    String global = "#global:\nexecd_spool_dir /var/spool\nmax_u_jobs 0\nmax_jobs 0\n";
    assertEquals(Optional.empty(), OriginPolicy.config(write("global", global)));
    Path lower = write("lower", "max_jobs 5\nbatch_queues a\n");
    assertEquals(Optional.of(lower), OriginPolicy.config(lower), "wrong, and told as such");
  }
}
