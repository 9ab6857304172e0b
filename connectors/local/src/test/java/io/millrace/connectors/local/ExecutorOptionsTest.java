package io.millrace.connectors.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.connectors.local.host.GroupSettings;
import io.millrace.connectors.local.host.ProcessorSet;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.program.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorOptionsTest {
  @TempDir Path directory;

  private ExecutorOptions parse(String... more) throws Exception {
    Path properties = directory.resolve("executor.properties");
    Files.writeString(
        properties,
        "bootstrap.servers=127.0.0.1:1\n"
            + HostKey.PROPERTY
            + "="
            + "0123456789abcdef".repeat(4)
            + "\n");
    List<String> words =
        new ArrayList<>(
            List.of("--properties", properties + "", "--spool", directory + "", "--host", "n1"));
    words.addAll(List.of("--supervisor", "/bin/true"));
    words.addAll(List.of(more));
    return ExecutorOptions.parse(words.toArray(new String[0]));
  }

  @Test
  void runsHaveWhatTheHostHas() throws Exception {
    assertEquals(GroupSettings.ALL, parse().groups());
    assertEquals(GroupSettings.ALL, parse("--cpuset", "all").groups());
    assertEquals(
        new GroupSettings(true, false, ProcessorSet.NONE), parse("--cpuset", "none").groups());
    assertEquals(
        new GroupSettings(false, true, ProcessorSet.NONE),
        parse("--control-groups", "false").groups());
  }

  @Test
  void theNodeHasTheProcessorsThatRunsMayHave() throws Exception {
    ExecutorOptions options = parse("--cpuset", "2-3,6");
    assertEquals(new GroupSettings(true, true, ProcessorSet.of("2,3,6")), options.groups());
    assertEquals(3L, options.settings().measured().get("ncpus"));
    assertEquals(
        64L,
        parse("--cpuset", "2-3,6", "--resources", "ncpus=64").settings().measured().get("ncpus"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2-|true|--cpuset is all, none or processors such as 2-63, not 2-",
        "some|true|--cpuset is all, none or processors such as 2-63, not some",
        "''|true|'--cpuset is all, none or processors such as 2-63, not '",
        "2-3|false|--cpuset 2-3 needs --control-groups true",
      })
  void whatCannotBeObeyedIsRefused(String list, String groups, String why) {
    UsageException refused =
        assertThrows(
            UsageException.class, () -> parse("--cpuset", list, "--control-groups", groups));
    assertEquals("millrace-executor: " + why + " (see --help)", refused.getMessage());
  }
}
