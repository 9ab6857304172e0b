package io.millrace.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The compose file as docker-compose reads it: what is merged is merged, and variables have their
 * defaults.
 */
record ComposeFile(JsonNode root) {

  static final Path FOLDER =
      Path.of(System.getProperty("millrace.root", "../..")).resolve("ops/compose");

  /** A service that ends when it has done its work. */
  private static final String ONCE = "service_completed_successfully";

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{[A-Z_]+:-([^}]*)}");
  private static final Pattern OURS = Pattern.compile("millrace/([a-z]+):.+");

  static ComposeFile read() throws IOException {
    Matcher variable = VARIABLE.matcher(Files.readString(FOLDER.resolve("compose.yml")));
    String text = variable.replaceAll("$1").replace("$$", "$");
    Object loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    return new ComposeFile(new ObjectMapper().valueToTree(loaded));
  }

  List<String> services() {
    List<String> names = new ArrayList<>();
    root.path("services").fieldNames().forEachRemaining(names::add);
    return names;
  }

  JsonNode service(String name) {
    return root.path("services").path(name);
  }

  /** Which image of ours it runs; empty for somebody else's. */
  Optional<ImageKind> image(String name) {
    Matcher ours = OURS.matcher(service(name).path("image").asText());
    return ours.matches() ? ImageKind.of(ours.group(1)) : Optional.empty();
  }

  /** Its whole command line. */
  List<String> command(String name) {
    JsonNode service = service(name);
    List<String> command = new ArrayList<>();
    if (service.has("entrypoint")) {
      command.addAll(texts(service.path("entrypoint")));
    } else {
      image(name).ifPresent(kind -> command.addAll(kind.entrypoint()));
    }
    command.addAll(texts(service.path("command")));
    return command;
  }

  /** Names of services that have to be there before it; those that end by themselves, or others. */
  List<String> after(String name, boolean once) {
    List<String> names = new ArrayList<>();
    service(name)
        .path("depends_on")
        .properties()
        .forEach(
            it -> {
              if (it.getValue().path("condition").asText().equals(ONCE) == once) {
                names.add(it.getKey());
              }
            });
    return names;
  }

  static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
