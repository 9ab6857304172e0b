package io.millrace.connectors.oar;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.oar.OarAsked;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A request to OAR's REST API.
 *
 * @param method of HTTP
 * @param path below the address of the API, with its query
 * @param account in whose name it is; empty for a question that anybody may ask
 * @param body JSON; empty for none
 */
public record OarRequest(
    String method, String path, Optional<String> account, Optional<String> body) {

  /**
   * What may stand in a body. The API puts values between double quotes into a line for a shell of
   * the server, which expands them; none of these letters means anything there.
   */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9_./=:,+-]([A-Za-z0-9_./=:, +-]*)");

  /** Of an array: the words of each job behind the command, a line each. */
  static final String LINES = "param_file";

  /** Of OAR's database: between double quotes a shell sees nothing in single ones. */
  static final String PROPERTY = "property";

  static OarRequest get(String path) {
    return new OarRequest("GET", path, Optional.empty(), Optional.empty());
  }

  /** An order without a body. */
  static OarRequest order(String path, String account) {
    return new OarRequest("POST", path, Optional.of(account), Optional.empty());
  }

  /** A question in the name of an account. */
  static OarRequest get(String path, String account) {
    return new OarRequest("GET", path, Optional.of(account), Optional.empty());
  }

  /**
   * A submission.
   *
   * @throws IllegalArgumentException when a value has a letter that a shell could see
   */
  static OarRequest submission(String account, Map<String, String> fields) {
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    fields.forEach(
        (name, value) -> {
          // It goes into a file, whose lines become words of commands.
          boolean lines =
              name.equals(LINES) && value.lines().allMatch(it -> PLAIN.matcher(it).matches());
          boolean property = name.equals(PROPERTY) && OarAsked.areConditions(value);
          if (!lines && !property && !PLAIN.matcher(value).matches()) {
            throw new IllegalArgumentException(name + ": no plain letters");
          }
          job.put(name, value);
        });
    return new OarRequest("POST", "/jobs.json", Optional.of(account), Optional.of(job.toString()));
  }

  /** Whether it may make a job. */
  public boolean submits() {
    return method.equals("POST") && body.isPresent();
  }
}
