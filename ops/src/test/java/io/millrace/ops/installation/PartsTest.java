package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.ServerInstance;
import io.millrace.ops.log.LogSetup;
import io.millrace.ops.process.EngineParts;
import io.millrace.ops.process.Part;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    return parts(home).others().get(0).arguments();
  }

  private Parts parts(Home home, String... options) throws IOException, UsageException {
    Files.createDirectories(folder.resolve("dist/lib"));
    UpSettings settings =
        UpSettings.of(home, Up.options("up", "starts it").parse(List.of(options)));
    ClusterSettings cluster = new ClusterSettings("kafka:9092", 3, null);
    return new Parts(home, new Distribution(folder.resolve("dist")), cluster, settings);
  }

  private List<Part> all(Home home, String... options) throws IOException, UsageException {
    Parts parts = parts(home, options);
    List<Part> all = new ArrayList<>(parts.others());
    all.add(parts.broker());
    return all;
  }

  @Test
  void everyPartWritesALogOfItsOwnThatIsBounded() throws Exception {
    Home home = home("logs");
    List<Part> all = all(home, "--apart-engine", "--http", "8080", "--executors", "2");
    assertEquals(8, all.size());
    for (Part part : all) {
      String bounded = "-Djava.util.logging.config.class=" + LogSetup.class.getName();
      assertTrue(part.arguments().contains(bounded), part.name());
      assertTrue(part.arguments().contains("-Dmillrace.log=" + home.log(part.name())), part.name());
    }
  }

  @Test
  void aHeapBeginsSmallAndNeverLargerThanItMayBecome() throws Exception {
    for (Part part : all(home("heaps"), "--apart-engine", "--http", "8080")) {
      assertTrue(mib(part, "-Xms") <= 88, part.name());
      assertTrue(mib(part, "-Xms") < mib(part, "-Xmx"), part.name());
      assertTrue(mib(part, "-XX:NewSize=") < mib(part, "-Xms"), part.name());
    }
    String small = "broker=16m,server=16m,gateway=16m,accounting=16m,executor=16m";
    for (Part part : all(home("small"), "--heap", small)) {
      assertEquals(16, mib(part, "-Xms"), part.name());
      assertTrue(mib(part, "-XX:NewSize=") < 16, part.name());
    }
  }

  @Test
  void eachNamedSchedulerHasAnEngineOfItsOwnAndTheServerLeavesItTheirPlaces() throws Exception {
    Home home = home("engines");
    String[] options = {"--apart-engine", "default,night", "--health", "9400"};
    List<Part> all = all(home, options);
    List<Part> engines = all.stream().filter(it -> EngineParts.isOne(it.name())).toList();
    assertEquals(List.of("engine", "engine-night"), engines.stream().map(Part::name).toList());
    assertEquals("default", after(engines.get(0), "--scheduler"));
    assertEquals("night", after(engines.get(1), "--scheduler"));
    assertEquals("127.0.0.1:9404", after(engines.get(0), "--health"));
    assertEquals("127.0.0.1:9500", after(engines.get(1), "--health"));
    for (Part engine : engines) {
      String account = home.client(KafkaPrincipal.ENGINE).toString();
      assertEquals(account, after(engine, "--properties"));
      assertTrue(StaleKeys.uses(engine.name(), KafkaPrincipal.ENGINE), "renewed with its account");
    }
    assertEquals("default,night", after(all.get(0), "--apart"));
    String kept = after(parts(home, options).keeper(), "--parts");
    assertTrue(List.of(kept.split(",")).containsAll(List.of("engine", "engine-night")), kept);
    assertFalse(server(home("beside")).contains("--apart"));
  }

  @Test
  void oneHomeOfAClusterHasTheFilesWithPolicies() throws Exception {
    Home first = home("first");
    assertEquals("yes", policyFiles(first));
    assertEquals("no", policyFiles(first, "--policy-files", "no"));
    Home further = home("further");
    Files.writeString(further.joined(), "cluster");
    assertEquals("no", policyFiles(further));
    assertEquals("yes", policyFiles(further, "--policy-files", "yes"));
    assertThrows(UsageException.class, () -> policyFiles(further, "--policy-files", "perhaps"));
    assertTrue(Parts.policyFiles(first));
    assertFalse(Parts.policyFiles(further));
    Files.writeString(further.root().resolve("etc/up.properties"), "policy-files=yes\n");
    assertTrue(Parts.policyFiles(further));
    assertEquals("yes", policyFiles(further), "it is kept");
  }

  private String policyFiles(Home home, String... options) throws IOException, UsageException {
    return all(home, options).stream()
        .filter(it -> it.name().equals("gateway"))
        .map(it -> after(it, "--policy-files"))
        .findFirst()
        .orElseThrow();
  }

  private static String after(Part part, String option) {
    return part.arguments().get(part.arguments().indexOf(option) + 1);
  }

  private static int mib(Part part, String option) {
    String value =
        part.arguments().stream()
            .filter(it -> it.startsWith(option))
            .map(it -> it.substring(option.length()))
            .findFirst()
            .orElseThrow();
    int number = Integer.parseInt(value.substring(0, value.length() - 1));
    return value.endsWith("g") ? number << 10 : number;
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
