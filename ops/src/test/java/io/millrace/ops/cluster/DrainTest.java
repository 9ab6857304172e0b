package io.millrace.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.HostName;
import io.millrace.schemas.program.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What drain refuses before anything is touched. */
class DrainTest {

  @TempDir Path folder;

  private int cluster(String... arguments) throws Exception {
    return new ClusterWord().run(List.of(arguments), new Console(System.out, false));
  }

  private String wrong(String... arguments) {
    return assertThrows(UsageException.class, () -> cluster(arguments)).getMessage();
  }

  private String failed(String word, String host) {
    return assertThrows(
            WordFailed.class,
            () -> cluster(word, host, "--home", folder.resolve("home").toString()))
        .getMessage();
  }

  @Test
  void eachWordHasItsOwnOptions() {
    assertTrue(wrong().startsWith("millrace cluster: check, accounts, init, drain or undrain"));
    assertTrue(wrong("drain").contains("drain takes the name of this host: drain HOST"));
    assertTrue(wrong("undrain", "a", "b").contains("undrain takes the name of this host"));
    assertTrue(wrong("check", "a").contains("'check a' is not understood"));
    assertTrue(wrong("drain", "a", "--shards", "4").contains("--shards goes with init only"));
    assertTrue(
        wrong("drain", "a", "--bootstrap-servers", "b:1")
            .contains("goes with check and init and accounts only"));
    assertTrue(wrong("accounts").contains("accounts takes the folder of their settings"));
    assertTrue(wrong("accounts", "a", "--shards", "4").contains("--shards goes with init only"));
    assertTrue(wrong("check", "--home", "x").contains("--home goes with drain and undrain only"));
  }

  @Test
  void onlyAServerOfThisHostThatHasOthersCanBeDrained() throws Exception {
    String own = HostName.untilDot();
    assertTrue(failed("drain", own).endsWith("/home is no home of Millrace"));
    assertFalse(Files.exists(folder.resolve("home")));
    Home home = new Home(folder.resolve("home"));
    home.create();
    new ClusterSettings("kafka:9092", 3, null).write(home);
    String elsewhere = failed("drain", "elsewhere.example.org");
    assertEquals(
        "elsewhere.example.org is not this host, which is "
            + own
            + ": a server is drained where it runs",
        elsewhere);
    assertEquals("no server runs in " + home.root(), failed("drain", own));
    assertEquals(own + " is not drained: nothing is changed", failed("undrain", own));
    ClusterSettings.embedded(3, "").write(home);
    assertTrue(failed("drain", own).contains("has a broker of its own, and so the only server"));
    assertFalse(Files.exists(home.down()), "nothing was touched");
  }
}
