package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.Route;
import io.millrace.server.web.route.RouteRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** What CiGri's answers have in common. */
final class CigriJson {

  static final String BASE = "/cigri";
  static final String MEDIA_TYPE = "application/json";

  static final Route.Parameter PRETTY =
      Route.Parameter.query("pretty", "string", "on several lines, but for false");
  static final Route.Parameter LIMIT =
      Route.Parameter.query("limit", "integer", "most items, 1 to 1000; 100 if absent");
  static final Route.Parameter OFFSET =
      Route.Parameter.query("offset", "integer", "items that are passed over; 0 if absent");

  static final Route.Parameter WHOLE =
      Route.Parameter.query("limit", "integer", "most items, 1 to 1000000; all if absent");

  private static final int LIMIT_USUAL = 100;
  private static final int LIMIT_MAX = 1_000;
  private static final int OFFSET_MAX = 1_000_000;
  private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9._~-]{1,64}){1,8}");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private CigriJson() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Whether a query is there, and is not said to be false. */
  static boolean given(RouteRequest asked, String name) {
    return asked.query(name).filter(it -> !List.of("false", "0").contains(it)).isPresent();
  }

  static boolean pretty(RouteRequest asked) {
    return given(asked, PRETTY.name());
  }

  /** The prefix that who stands before this door wants before each link; empty: none. */
  private static String prefix(RouteRequest asked) {
    String given = asked.headers().getOrDefault(RouteRequest.PATH_PREFIX, "");
    String prefix = given.replaceAll("^/*", "/").replaceAll("/+$", "");
    return PREFIX.matcher(prefix).matches() ? prefix : "";
  }

  private static void prefix(String prefix, JsonNode node) {
    if (node instanceof ObjectNode object && object.path("href").isTextual()) {
      object.put("href", prefix + object.get("href").textValue());
    }
    node.forEach(child -> prefix(prefix, child));
  }

  static HttpAnswer answer(int status, RouteRequest asked, JsonNode body) {
    String prefix = prefix(asked);
    if (!prefix.isEmpty()) {
      prefix(prefix, body);
    }
    try {
      String text =
          pretty(asked)
              ? MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(body)
              : MAPPER.writeValueAsString(body);
      return HttpAnswer.whole(status, MEDIA_TYPE, (text + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can be written", e);
    }
  }

  /** What is said of something that was done. */
  static HttpAnswer accepted(RouteRequest asked, String message) {
    ObjectNode body = object().put("status", 202).put("title", "Accepted").put("message", message);
    return answer(202, asked, body);
  }

  static ArrayNode links(ObjectNode of, String self, String parent) {
    ArrayNode links = of.putArray("links");
    link(links, "self", self);
    link(links, "parent", parent);
    return links;
  }

  /** Below {@link #BASE}: CiGri's clients put their API_BASE before each address. */
  static ObjectNode link(ArrayNode links, String rel, String path) {
    return links.addObject().put("rel", rel).put("href", path.isEmpty() ? "/" : path);
  }

  /** The part of a list that was asked for. */
  record PageRequest(int limit, int offset) {
    /** All of it when nothing else is asked for. */
    static PageRequest whole(RouteRequest asked) throws Problem {
      return new PageRequest(
          asked.number(LIMIT.name(), OFFSET_MAX, 1, OFFSET_MAX),
          asked.number(OFFSET.name(), 0, 0, OFFSET_MAX));
    }

    static PageRequest of(RouteRequest asked) throws Problem {
      return new PageRequest(
          asked.number(LIMIT.name(), LIMIT_USUAL, 1, LIMIT_MAX),
          asked.number(OFFSET.name(), 0, 0, OFFSET_MAX));
    }

    <T> List<T> of(List<T> all) {
      int from = Math.min(offset, all.size());
      return all.subList(from, Math.min(all.size(), from + limit));
    }

    /**
     * Completes a list.
     *
     * @param total items of all pages
     * @param path of the list, with what else was asked
     * @param links those that it has, to which the next page is added
     */
    void complete(ObjectNode list, long total, String path, ArrayNode links) {
      complete(list, limit, total, path, links);
    }

    /**
     * Completes a list whose items can be fewer than were asked for though more follow.
     *
     * @param given items that there are
     */
    void complete(ObjectNode list, int given, long total, String path, ArrayNode links) {
      list.put("total", total).put("limit", limit).put("offset", offset);
      if (given > 0 && offset + (long) given < total) {
        String join = path.contains("?") ? "&" : "?";
        link(links, "next", path + join + "limit=" + limit + "&offset=" + (offset + given));
      }
    }
  }
}
