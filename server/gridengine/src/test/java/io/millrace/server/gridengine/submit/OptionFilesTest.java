package io.millrace.server.gridengine.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.server.gateway.command.Failure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code -@} among the options, and the same word behind them. */
class OptionFilesTest {

  private static final Map<String, String> FILES =
      Map.of("short", "-l h_rt=60", "both", "-N name -@ short", "self", "-@ self", "none", "");

  private static String expanded(String line) throws Failure, IOException {
    OptionFiles files =
        new OptionFiles(path -> OptionLineWords.of(FILES.get(path)), Submission::argumentsOf);
    return String.join(" ", files.expand(OptionLineWords.of(line), 0));
  }

  @Test
  void theWordsOfAFileStandInItsPlace() throws Exception {
    assertEquals("-p -5 -l h_rt=60 -now y job.sh", expanded("-p -5 -@ short -now y job.sh"));
    assertEquals("-N name -l h_rt=60 -R y", expanded("-@ both -R y"));
    assertEquals("-b y sleep 1", expanded("-@ none -b y sleep 1"));
  }

  @Test
  void argumentsOfTheJobAndOfOptionsAreLeftAlone() throws Exception {
    assertEquals("-b y program -@ short", expanded("-b y program -@ short"));
    assertEquals("-l h_rt=60 program -@ short", expanded("-@ short program -@ short"));
    assertEquals("-N -@ -v -@ job.sh", expanded("-N -@ -v -@ job.sh"));
    assertEquals("-pe mpi -@ job.sh", expanded("-pe mpi -@ job.sh"));
  }

  @Test
  void jobsMayStandBeforeTheOptionsOfQalter() throws Exception {
    OptionFiles files =
        new OptionFiles(path -> OptionLineWords.of(FILES.get(path)), Alteration::argumentsOf);
    List<String> line = OptionLineWords.of("5 6 -h u -@ short");
    assertEquals(
        List.of("5", "6", "-h", "u", "-l", "h_rt=60"),
        files.expand(line, Alteration.leadingJobs(line)));
  }

  @Test
  void filesThatNameEachOtherEnd() {
    Failure failure = assertThrows(Failure.class, () -> expanded("-@ self"));
    assertEquals("error: -@: more than 16 files of options\n", failure.getMessage());
    assertThrows(Failure.class, () -> expanded("-R y -@"));
  }
}
