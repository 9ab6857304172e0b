package io.millrace.server.web.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoutesTest {

  private static Route route(String method, String path, Route.Parameter... parameters) {
    return new Route(method, path, "does it", Route.Facts.of("Object", parameters), asked -> null);
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
}
