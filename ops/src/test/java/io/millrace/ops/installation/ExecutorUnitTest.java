package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An executor under systemd gets the same options as one under {@code up}. */
class ExecutorUnitTest {

  private static final String MAIN = "io.millrace.connectors.local.LocalExecutorMain";

  /** Options of class data archives, which belong to a home. */
  private static final Pattern ARCHIVE = Pattern.compile("-X(share|log:cds|X:.*Archive).*");

  @TempDir Path folder;

  private List<String> ofUp() throws IOException, UsageException {
    Files.createDirectories(folder.resolve("dist/lib"));
    Home home = new Home(folder.resolve("home"));
    home.create();
    UpSettings settings = UpSettings.of(home, Up.options("up", "starts it").parse(List.of()));
    ClusterSettings cluster = new ClusterSettings("kafka:9092", 3, null);
    Distribution dist = new Distribution(folder.resolve("dist"));
    return new Parts(home, dist, cluster, settings).executors().get(0).arguments();
  }

  private static List<String> ofUnit() throws IOException {
    Path root = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    String unit = Files.readString(root.resolve("ops/systemd/millrace-executor.service"));
    String line = unit.substring(unit.indexOf("\nExecStart=")).strip().replace("\\\n", " ");
    String start = line.substring(0, line.indexOf('\n'));
    List<String> words = List.of(start.split(" +"));
    assertEquals("$EXECUTOR_OPTIONS", words.get(words.size() - 1), "what a host has of its own");
    return words.subList(1, words.size() - 1);
  }

  @Test
  void itHasTheSameOptions() throws Exception {
    assertEquals(own(ofUp()), own(ofUnit()));
  }

  /** Names of the options, with their values unless these depend on the place. */
  private static List<String> own(List<String> words) {
    int main = words.indexOf(MAIN);
    Stream<String> java =
        words.subList(0, main).stream()
            .filter(word -> word.startsWith("-"))
            .filter(word -> !ARCHIVE.matcher(word).matches())
            .filter(word -> !word.startsWith("-Djava.io.tmpdir=")) // an executor unpacks nothing
            .filter(word -> !word.startsWith("-Dmillrace.life=")) // systemd hears of the end itself
            .map(word -> word.replaceFirst("^-Xmx.*", "-Xmx"))
            .map(word -> word.replaceFirst("^(-Dmillrace.log|-XX:ErrorFile)=.*", "$1"));
    Stream<String> options =
        Stream.iterate(main + 1, i -> i < words.size(), i -> i + 2)
            .map(i -> words.get(i) + (words.get(i).equals("--root-jobs") ? words.get(i + 1) : ""));
    return Stream.concat(java, options).sorted().toList();
  }
}
