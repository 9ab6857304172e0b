package io.millrace.ops.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pod of the chart as a container of an engine: its image, command, user and bounds, in the
 * network of a container that only holds its address, as Kubernetes does it.
 *
 * @param name the pod's, of which the chart makes the part's
 * @param pod its specification
 */
record ChartPod(String name, JsonNode pod) {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** The first pod of each StatefulSet and Deployment that the chart has with these values. */
  static List<ChartPod> rendered(Path chart, Map<String, Object> values) throws IOException {
    var template = new Helm(chart).template().withName("site").withKubeVersion("1.31.0");
    values.forEach(template::set);
    List<ChartPod> pods = new ArrayList<>();
    for (JsonNode object :
        YAML.readerFor(JsonNode.class).<JsonNode>readValues(template.call()).readAll()) {
      JsonNode pod = object.at("/spec/template/spec");
      if (pod.isObject()) {
        pods.add(new ChartPod(object.at("/metadata/name").asText() + "-0", pod));
      }
    }
    return pods;
  }

  private JsonNode container() {
    return pod.at("/containers/0");
  }

  /** Lines of shell that start it; the second one's output is its address. */
  List<String> sandbox(String image, String network) {
    return List.of(
        "docker run --detach --name "
            + sandboxName()
            + " --network "
            + network
            + " --entrypoint /usr/bin/sleep "
            + image
            + " infinity",
        "docker inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "
            + sandboxName());
  }

  private String sandboxName() {
    return name + "-sandbox";
  }

  /** What the pod's containers are called. */
  List<String> containers() {
    return List.of(name, sandboxName());
  }

  /**
   * The line of shell that runs it.
   *
   * @param address its own
   * @param mounted what stands for the volumes of the pod: a volume or folder, by name
   */
  String run(String address, Map<String, String> mounted) {
    StringBuilder line = new StringBuilder("docker run --detach --name " + name);
    line.append(" --network container:").append(sandboxName());
    JsonNode user = pod.path("securityContext");
    line.append(" --user ").append(user.path("runAsUser").asText());
    line.append(':').append(user.path("runAsGroup").asText());
    JsonNode bounds = container().path("securityContext");
    if (bounds.path("readOnlyRootFilesystem").asBoolean()) {
      line.append(" --read-only");
    }
    if (!bounds.path("allowPrivilegeEscalation").asBoolean(true)) {
      line.append(" --security-opt no-new-privileges:true");
    }
    bounds.at("/capabilities/drop").forEach(it -> line.append(" --cap-drop ").append(it.asText()));
    Map<String, String> variables = new LinkedHashMap<>();
    for (JsonNode variable : container().path("env")) {
      String field = variable.at("/valueFrom/fieldRef/fieldPath").asText();
      String value =
          switch (field) {
            case "metadata.name" -> name;
            case "status.podIP" -> address;
            default -> variable.path("value").asText();
          };
      variables.put(variable.path("name").asText(), value);
    }
    variables.forEach(
        (variable, value) ->
            line.append(" --env '").append(variable).append('=').append(value).append('\''));
    for (JsonNode mount : container().path("volumeMounts")) {
      line.append(" --volume ").append(mounted.get(mount.path("name").asText()));
      line.append(':').append(mount.path("mountPath").asText());
      line.append(mount.path("readOnly").asBoolean() ? ":ro" : "");
    }
    line.append(' ').append(container().path("image").asText());
    for (JsonNode argument : container().path("args")) {
      String text = argument.asText();
      for (Map.Entry<String, String> variable : variables.entrySet()) {
        text = text.replace("$(" + variable.getKey() + ")", variable.getValue());
      }
      line.append(" '").append(text).append('\'');
    }
    return line.toString();
  }

  /** The port that a probe asks, by the name that the chart gives it. */
  int port(String probe) {
    String named = container().at("/" + probe + "/httpGet/port").asText();
    for (JsonNode port : container().path("ports")) {
      if (port.path("name").asText().equals(named)) {
        return port.path("containerPort").asInt();
      }
    }
    throw new AssertionError(name + " has no port " + named);
  }

  /** What a probe asks for there. */
  String path(String probe) {
    return container().at("/" + probe + "/httpGet/path").asText();
  }
}
