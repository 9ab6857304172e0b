package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.ServerInstance;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command lines of a home's parts. */
class PartsTest {

  @TempDir Path folder;

  private Home home(String name) throws IOException {
    Home home = new Home(folder.resolve(name));
    home.create();
    return home;
  }

  private List<String> server(Home home) throws IOException, UsageException {
    Files.createDirectories(folder.resolve("dist/lib"));
    UpSettings settings = UpSettings.of(home, Up.options("up", "starts it").parse(List.of()));
    ClusterSettings cluster = new ClusterSettings("kafka:9092", 3, null);
    return new Parts(home, new Distribution(folder.resolve("dist")), cluster, settings)
        .others()
        .get(0)
        .arguments();
  }

  private String instance(Home home) throws IOException, UsageException {
    List<String> server = server(home);
    return server.get(server.indexOf("--instance") + 1);
  }

  @Test
  void serversOfTwoHomesHaveTwoNamesEachAlwaysTheSame() throws Exception {
    Home one = home("one");
    Home other = home("other");
    ServerInstance.ensure(one);
    ServerInstance.ensure(other);
    assertNotEquals(instance(one), instance(other));
    String before = instance(one);
    ServerInstance.ensure(one);
    assertEquals(before, instance(one));
    assertTrue(before.matches("server-[0-9a-f-]{36}"), before);
  }

  @Test
  void aHomeThatWasNeverUpSinceIsShownWithoutBeingWritten() throws Exception {
    Home home = home("old");
    assertFalse(server(home).contains("--instance"));
    assertFalse(Files.exists(home.instance()));
  }

  @Test
  void aNameThatIsNoneIsRefusedInOneLine() throws Exception {
    Home home = home("damaged");
    for (String text : List.of("", "\n", "a b\n", "two\nlines\n")) {
      Files.writeString(home.instance(), text);
      IOException why = assertThrows(IOException.class, () -> ServerInstance.ensure(home));
      assertTrue(why.getMessage().startsWith(home.instance() + " is damaged"), why.getMessage());
      assertEquals(1, why.getMessage().lines().count());
    }
  }
}
