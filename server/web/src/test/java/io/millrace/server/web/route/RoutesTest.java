package io.millrace.server.web.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoutesTest {

  private static Route route(String method, String path, Route.Parameter... parameters) {
    return new Route(
        method, path, "does it", Route.RouteFacts.of("Object", parameters), asked -> null);
  }

  private final Routes routes =
      new Routes(
          List.of(
              route("GET", "/v1/jobs", Route.Parameter.query("after", "string", "x")),
              route("GET", "/v1/jobs/{id}", Route.Parameter.path("id", "x")),
              route("POST", "/v1/commands/{command}", Route.Parameter.path("command", "x"))));

  private Problem refused(String method, String target) {
    return assertThrows(Problem.class, () -> routes.match(method, target));
  }

  @Test
  void partsOfThePathAreDecodedAfterTheyWereToldApart() throws Exception {
    assertEquals(
        Map.of("command", "sge/qsub"), routes.match("POST", "/v1/commands/sge%2Fqsub").variables());
    assertEquals(
        Map.of("id", "12[3].vm+x"), routes.match("GET", "/v1/jobs/12%5B3%5D.vm+x").variables());
  }

  @Test
  void aQueryIsKnownOrRefusedByName() throws Exception {
    assertEquals(Map.of("after", "a b"), routes.match("GET", "/v1/jobs?after=a+b").query());
    Problem unknown = refused("GET", "/v1/jobs?befor=1");
    assertEquals("the query befor is not known here; there are after", unknown.getMessage());
    assertEquals(
        "the query after comes twice", refused("GET", "/v1/jobs?after=1&after=2").getMessage());
    assertEquals(400, refused("GET", "/v1/jobs?after=%zz").status());
  }

  @Test
  void otherPathsAndMethodsAreRefused() {
    assertEquals(404, refused("GET", "/v1/job").status());
    assertEquals(404, refused("GET", "/v1/jobs/").status());
    assertEquals(404, refused("GET", "/v1/commands/sge/qsub").status());
    Problem method = refused("DELETE", "/v1/jobs/1");
    assertEquals(405, method.status());
    assertTrue(method.getMessage().contains("takes GET"), method.getMessage());
  }

  private static byte[] arguments(int count) {
    String list = String.join(",", Collections.nCopies(count, "\"a\""));
    return ("{\"arguments\":[" + list + "]}").getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void ofABodyThePartsAreCountedAndNotOnlyItsBytes() throws Exception {
    // Two braces, two brackets and a name are parts too.
    int most = JsonText.TOKENS_MAX - 5;
    assertEquals(most, JsonText.parse(arguments(most)).get("arguments").size());
    Problem more = assertThrows(Problem.class, () -> JsonText.parse(arguments(most + 1)));
    assertEquals(413, more.status());
    assertTrue(more.getMessage().contains("more than 50000 names"), more.getMessage());
    String script = "{\"script\":\"" + "x,".repeat(2 << 20) + "\"}";
    byte[] large = script.getBytes(StandardCharsets.UTF_8);
    assertEquals(4 << 20, JsonText.parse(large).get("script").textValue().length());
    assertEquals(400, assertThrows(Problem.class, () -> JsonText.parse(new byte[] {'{'})).status());
  }
}
