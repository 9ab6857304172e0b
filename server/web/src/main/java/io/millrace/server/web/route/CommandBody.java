package io.millrace.server.web.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a command is called with.
 *
 * @param directory absolute; relative names in the command mean files below it
 * @param umask 0 to 0777
 * @param stdin text of standard input
 * @param files texts of the files that the arguments name, by the very names
 */
record CommandBody(
    List<String> arguments,
    Map<String, String> environment,
    String directory,
    int umask,
    String stdin,
    Map<String, String> files) {

  private static final Set<String> FIELDS =
      new TreeSet<>(
          Set.of("arguments", "directory", "environment", "files", "script", "stdin", "umask"));

  private static final int DEFAULT_UMASK = 022;
  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  /**
   * @param user who calls
   * @param home his folder; the directory when none is given
   */
  static CommandBody parse(byte[] bytes, String user, String home) throws Problem {
    ObjectNode body = bytes.length == 0 ? JsonText.object() : JsonText.parse(bytes);
    for (String name : (Iterable<String>) body::fieldNames) {
      if (!FIELDS.contains(name)) {
        String known = String.join(", ", FIELDS);
        throw Problem.bad("the field " + name + " is not known here; there are " + known);
      }
    }
    String directory = text(body, "directory", home);
    if (!directory.startsWith("/")) {
      throw Problem.bad("directory is an absolute path, not " + directory);
    }
    String umask = text(body, "umask", Integer.toOctalString(DEFAULT_UMASK));
    if (!umask.matches("[0-7]{1,4}") || Integer.parseInt(umask, 8) > 0777) {
      throw Problem.bad("umask is an octal number up to 777, not " + umask);
    }
    // A script is what a shell would give to qsub with <.
    if (body.has("script") && body.has("stdin")) {
      throw Problem.bad("script is standard input by another name: give one of them");
    }
    String stdin = text(body, body.has("script") ? "script" : "stdin", "");
    Map<String, String> environment = texts(body, "environment");
    environment.putIfAbsent("HOME", home);
    environment.putIfAbsent("LOGNAME", user);
    environment.putIfAbsent("USER", user);
    environment.putIfAbsent("PATH", DEFAULT_PATH);
    return new CommandBody(
        list(body, "arguments"),
        Map.copyOf(environment),
        directory,
        Integer.parseInt(umask, 8),
        stdin,
        texts(body, "files"));
  }

  private static String text(ObjectNode body, String name, String whenAbsent) throws Problem {
    JsonNode node = body.get(name);
    return node == null ? whenAbsent : text(node, name);
  }

  /** The kernel takes no NUL in what a process is called with, and neither does a command. */
  private static String text(JsonNode node, String name) throws Problem {
    if (!node.isTextual() || node.textValue().indexOf('\0') >= 0) {
      throw Problem.bad(name + " is text without NUL");
    }
    return node.textValue();
  }

  private static List<String> list(ObjectNode body, String name) throws Problem {
    JsonNode node = body.get(name);
    List<String> texts = new ArrayList<>();
    if (node != null && !node.isArray()) {
      throw Problem.bad(name + " is a list of texts");
    }
    if (node != null) {
      for (JsonNode each : node) {
        texts.add(text(each, name));
      }
    }
    return List.copyOf(texts);
  }

  private static Map<String, String> texts(ObjectNode body, String name) throws Problem {
    JsonNode node = body.get(name);
    Map<String, String> texts = new LinkedHashMap<>();
    if (node != null && !node.isObject()) {
      throw Problem.bad(name + " is an object of texts");
    }
    if (node != null) {
      for (Map.Entry<String, JsonNode> each : node.properties()) {
        if (each.getKey().isEmpty() || each.getKey().indexOf('\0') >= 0) {
          throw Problem.bad("a name in " + name + " is empty or has a NUL");
        }
        texts.put(each.getKey(), text(each.getValue(), name + " " + each.getKey()));
      }
    }
    return texts;
  }
}
