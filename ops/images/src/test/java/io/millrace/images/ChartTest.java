package io.millrace.images;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart, by Helm itself, and its objects by the types of Kubernetes. */
class ChartTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root", "../.."));
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final int GROUP_ONLY = 0440;

  @TempDir Path folder;

  /** The chart with a set of values in the place of its own, which lint looks at. */
  private Path chart(String set) throws IOException {
    Path copy = folder.resolve("millrace");
    Path chart = ROOT.resolve("ops/chart/millrace");
    try (Stream<Path> files = Files.walk(chart)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = copy.resolve(chart.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
    ObjectNode values = (ObjectNode) YAML.readTree(copy.resolve("values.yaml").toFile());
    merge(values, YAML.readTree(getClass().getResourceAsStream("/chart/" + set + ".yaml")));
    Files.write(copy.resolve("values.yaml"), YAML.writeValueAsBytes(values));
    return copy;
  }

  private static void merge(ObjectNode values, JsonNode more) {
    for (var field : more.properties()) {
      if (field.getValue().isObject() && values.path(field.getKey()).isObject()) {
        merge((ObjectNode) values.get(field.getKey()), field.getValue());
      } else {
        values.set(field.getKey(), field.getValue());
      }
    }
  }

  private static List<JsonNode> render(Path chart) throws IOException {
    String text = new Helm(chart).template().withName("site").withKubeVersion("1.31.0").call();
    List<JsonNode> objects = new ArrayList<>();
    for (JsonNode object : YAML.readerFor(JsonNode.class).<JsonNode>readValues(text).readAll()) {
      if (object.isObject() && !object.isEmpty()) {
        objects.add(object);
      }
    }
    return objects;
  }

  private static void edit(Path file, String from, String to) throws IOException {
    String text = Files.readString(file);
    assertTrue(text.contains(from), from);
    Files.writeString(file, text.replace(from, to));
  }

  private static JsonNode one(List<JsonNode> objects, String kind, String name) {
    return objects.stream()
        .filter(it -> it.path("kind").asText().equals(kind))
        .filter(it -> it.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(kind + " " + name + " of " + objects));
  }

  private static List<JsonNode> pods(List<JsonNode> objects) {
    return objects.stream()
        .map(it -> it.at("/spec/template/spec"))
        .filter(JsonNode::isObject)
        .toList();
  }

  private static Set<String> secrets(List<JsonNode> objects) {
    Set<String> named = new TreeSet<>();
    for (JsonNode pod : pods(objects)) {
      pod.findValues("secretName").forEach(name -> named.add(name.asText()));
    }
    return named;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(item -> texts.add(item.asText()));
    return texts;
  }

  @ParameterizedTest
  @ValueSource(strings = {"least", "usual", "plain-kafka", "strimzi", "watched", "large"})
  void eachSetOfValuesIsAChartOfObjectsThatKubernetesKnows(String set) throws IOException {
    Path chart = chart(set);
    LintResult lint = new Helm(chart).lint().strict().call();
    assertFalse(lint.isFailed(), () -> lint.getMessages().toString());
    List<JsonNode> objects = render(chart);
    Set<String> names = new HashSet<>();
    for (JsonNode object : objects) {
      KubernetesTypes.check(object);
      assertTrue(names.add(object.path("kind") + " " + object.at("/metadata/name")), set);
    }
    Set<String> given = new TreeSet<>();
    JsonNode values = YAML.readTree(chart.resolve("values.yaml").toFile());
    given.add(values.at("/join/secret").asText());
    given.add(values.at("/web/tlsSecret").asText());
    given.add(values.at("/kafka/authoritySecret").asText());
    given.addAll(texts(values.at("/kafka/accounts")));
    assertTrue(given.containsAll(secrets(objects)), () -> secrets(objects) + " of " + given);
    pods(objects).forEach(ChartTest::isSafe);
  }

  /** Not root, nothing to write but the home, no more rights, and asked for its health. */
  private static void isSafe(JsonNode pod) {
    assertTrue(pod.at("/securityContext/runAsNonRoot").asBoolean(), pod::toString);
    assertEquals(ImageKind.USER, pod.at("/securityContext/runAsUser").asInt());
    JsonNode container = pod.at("/containers/0");
    assertTrue(container.at("/securityContext/readOnlyRootFilesystem").asBoolean());
    assertFalse(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true));
    assertEquals(List.of("ALL"), texts(container.at("/securityContext/capabilities/drop")));
    assertEquals("/live", container.at("/livenessProbe/httpGet/path").asText());
    assertEquals("/ready", container.at("/readinessProbe/httpGet/path").asText());
    List<String> arguments = texts(container.path("args"));
    assertTrue(arguments.indexOf("--health") > arguments.indexOf("--"), arguments::toString);
    assertTrue(arguments.contains("0.0.0.0:" + ImageKind.HEALTH_PORT), arguments::toString);
    assertEquals(ImageKind.HEALTH_PORT, container.at("/ports/0/containerPort").asInt());
    for (JsonNode volume : pod.path("volumes")) {
      if (volume.has("secret")) {
        assertEquals(GROUP_ONLY, volume.at("/secret/defaultMode").asInt(), volume::toString);
      }
    }
  }

  @Test
  void serversHaveWhatTheirShardsNeed() throws IOException {
    List<JsonNode> objects = render(chart("large"));
    JsonNode servers = one(objects, "StatefulSet", "site-server");
    assertEquals(3, servers.at("/spec/replicas").asInt());
    assertEquals("OnDelete", servers.at("/spec/updateStrategy/type").asText());
    assertEquals(
        "200Gi",
        servers.at("/spec/volumeClaimTemplates/0/spec/resources/requests/storage").asText());
    JsonNode pod = servers.at("/spec/template/spec");
    assertEquals(
        "registry.example.org/batch/millrace/server:0.1.0", pod.at("/containers/0/image").asText());
    List<String> arguments = texts(pod.at("/containers/0/args"));
    assertEquals("$(POD_IP):9399", arguments.get(arguments.indexOf("--query-listen") + 1));
    assertEquals("$(POD_NAME)", arguments.get(arguments.indexOf("--name") + 1));
    assertFalse(arguments.contains("--apart"));
    assertEquals(
        1, one(objects, "PodDisruptionBudget", "site-server").at("/spec/maxUnavailable").asInt());
    JsonNode policy = one(objects, "NetworkPolicy", "site");
    assertEquals(9399, policy.at("/spec/ingress/1/ports/0/port").asInt());
    assertTrue(policy.at("/spec/ingress/1/from/0").has("podSelector"), policy::toString);
  }

  /** Each would undo what the others' files say; without a word a lone gateway looks at none. */
  @Test
  void noneOfItsGatewaysHasFilesWithPolicies() throws IOException {
    JsonNode gateways = one(render(chart("large")), "Deployment", "site-gateway");
    assertEquals(4, gateways.at("/spec/replicas").asInt());
    List<String> arguments = texts(gateways.at("/spec/template/spec/containers/0/args"));
    assertFalse(arguments.contains("--policy-files"), arguments::toString);
  }

  @Test
  void accountsOfKafkaUsersAreMountedWhereThePartLooks() throws IOException {
    List<JsonNode> objects = render(chart("strimzi"));
    List<String> web =
        texts(one(objects, "Deployment", "site-web").at("/spec/template/spec/containers/0/args"));
    assertEquals(
        "gateway=/etc/millrace/accounts/gateway,monitor=/etc/millrace/accounts/monitor",
        web.get(web.indexOf("--accounts") + 1));
    assertEquals("/etc/millrace/authority/ca.crt", web.get(web.indexOf("--authority") + 1));
    JsonNode engine = one(objects, "Deployment", "site-engine-default");
    assertEquals("Recreate", engine.at("/spec/strategy/type").asText());
    assertEquals(
        Set.of(
            "cluster-join",
            "engine",
            "gateway",
            "kafka-cluster-ca-cert",
            "monitor",
            "server",
            "web-tls"),
        secrets(objects));
  }

  @Test
  void eachNamedSchedulersEngineHasAPodAndServersLeaveItItsPlace() throws IOException {
    Path chart = chart("watched");
    List<JsonNode> objects = render(chart);
    JsonNode servers = one(objects, "StatefulSet", "site-server");
    List<String> server = texts(servers.at("/spec/template/spec/containers/0/args"));
    assertEquals("default,night", server.get(server.indexOf("--apart") + 1));
    for (String name : List.of("default", "night")) {
      JsonNode engine = one(objects, "Deployment", "site-engine-" + name);
      List<String> arguments = texts(engine.at("/spec/template/spec/containers/0/args"));
      assertEquals(name, arguments.get(arguments.indexOf("--scheduler") + 1));
    }
    edit(chart.resolve("values.yaml"), "\"night\"", "\"Night_1\"");
    refused(chart, "schedulers");
  }

  @Test
  void aNameOfASchedulerThatYamlWouldReadOtherwiseStaysAText() throws IOException {
    Path chart = chart("watched");
    edit(chart.resolve("values.yaml"), "\"night\"", "\"true\"");
    JsonNode engine = one(render(chart), "Deployment", "site-engine-true");
    JsonNode arguments = engine.at("/spec/template/spec/containers/0/args");
    assertTrue(arguments.get(texts(arguments).indexOf("--scheduler") + 1).isTextual());
    edit(chart.resolve("values.yaml"), "\"default\"", "\"null\"");
    JsonNode servers = one(render(chart), "StatefulSet", "site-server");
    JsonNode server = servers.at("/spec/template/spec/containers/0/args");
    assertEquals("null,true", server.get(texts(server).indexOf("--apart") + 1).textValue());
  }

  @Test
  void aBrokenTemplateAnUnknownFieldAndAMissingSecretAreFound() throws IOException {
    Path chart = chart("usual");
    Path server = chart.resolve("templates/server.yaml");
    edit(server, "replicas: {{", "replicass: {{");
    List<JsonNode> objects = render(chart);
    assertThrows(
        IOException.class, () -> KubernetesTypes.check(one(objects, "StatefulSet", "site-server")));
    edit(server, "replicass: {{", "replicas: {{{");
    assertTrue(new Helm(chart).lint().strict().call().isFailed());
    edit(server, "replicas: {{{", "replicas: {{");
    assertFalse(new Helm(chart).lint().strict().call().isFailed());
    edit(chart.resolve("values.yaml"), "cluster-join", "");
    assertTrue(new Helm(chart).lint().strict().call().isFailed());
    assertThrows(IllegalStateException.class, () -> render(chart));
  }

  private static void refused(Path chart, String why) {
    IllegalStateException failed = assertThrows(IllegalStateException.class, () -> render(chart));
    assertTrue(failed.getMessage().contains(why), failed::getMessage);
  }

  @Test
  void settingsThatNothingWouldLookAtAreRefused() throws IOException {
    Path chart = chart("strimzi");
    Path values = chart.resolve("values.yaml");
    String text = Files.readString(values);
    ObjectNode changed = (ObjectNode) YAML.readTree(text);
    ((ObjectNode) changed.get("engine")).putArray("schedulers");
    Files.write(values, YAML.writeValueAsBytes(changed));
    refused(chart, "kafka.accounts.engine goes with engine.schedulers");
    changed = (ObjectNode) YAML.readTree(text);
    ((ObjectNode) changed.get("kafka")).putObject("accounts");
    Files.write(values, YAML.writeValueAsBytes(changed));
    refused(chart, "kafka.authoritySecret goes with kafka.accounts");
    Files.writeString(values, text);
    assertFalse(render(chart).isEmpty());
  }

  /** A second one would not know the tokens of the first. */
  @Test
  void twoWebsAreRefused() throws IOException {
    Path chart = chart("strimzi");
    ObjectNode values = (ObjectNode) YAML.readTree(chart.resolve("values.yaml").toFile());
    ((ObjectNode) values.get("web")).put("replicas", 2);
    Files.write(chart.resolve("values.yaml"), YAML.writeValueAsBytes(values));
    refused(chart, "replicas");
  }

  @Test
  void whatTheSchemaDoesNotKnowIsRefused() throws IOException {
    Path chart = chart("usual");
    edit(chart.resolve("values.yaml"), "replicas: 2", "replicas: 2\n  standbys: 1");
    assertThrows(IllegalStateException.class, () -> render(chart));
  }
}
