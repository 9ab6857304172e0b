package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApartOptionsTest {

  @Test
  void readsOptionsAndProperties(@TempDir Path directory) throws IOException, UsageException {
    Path file = directory.resolve("engine.properties");
    Files.writeString(file, "security.protocol=SASL_PLAINTEXT\n");
    ApartOptions options =
        ApartOptions.parse(
            new String[] {
              "--bootstrap-servers", "b:9092", "--properties", file.toString(), "--scheduler", "s1"
            });
    assertEquals("s1", options.scheduler());
    assertFalse(options.shadow());
    assertEquals(Optional.empty(), options.monitorFolder());
    assertEquals("b:9092", options.kafka().get("bootstrap.servers"));
    assertEquals("SASL_PLAINTEXT", options.kafka().get("security.protocol"));
  }

  @Test
  void readsWhereTheFileScheduleGoes() throws UsageException {
    String line = "--bootstrap-servers b:9092 --scheduler ge --monitor-folder /var/sched_priv";
    assertEquals(
        Optional.of(Path.of("/var/sched_priv")),
        ApartOptions.parse(line.split(" ")).monitorFolder());
  }

  @ParameterizedTest
  @CsvSource({
    "--scheduler,engine: --scheduler needs a value",
    "--scheduler s,engine: --bootstrap-servers is missing",
    "--bootstrap-servers b:1,engine: --scheduler is missing",
    "--verbose,engine: there is no option --verbose",
    "--scheduler s --properties /nonexistent/file,engine: there is no file /nonexistent/file"
  })
  void saysWhatIsWrongInOneLine(String arguments, String message) {
    UsageException wrong =
        assertThrows(UsageException.class, () -> ApartOptions.parse(arguments.split(" ")));
    assertTrue(wrong.getMessage().startsWith(message), wrong.getMessage());
    assertFalse(wrong.getMessage().contains("\n"));
  }
}
