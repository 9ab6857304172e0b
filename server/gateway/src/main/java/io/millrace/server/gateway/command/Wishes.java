package io.millrace.server.gateway.command;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the options of qsub or qalter ask for, in PBS's letters. Absent letters were not given; an
 * option that stands twice counts with its last value, resources count by name.
 */
final class Wishes {

  private final Map<Character, String> values = new LinkedHashMap<>();
  private final Map<String, String> resources = new LinkedHashMap<>();
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private boolean undefined;

  void set(char letter, String value) {
    values.put(letter, value);
  }

  void attribute(String name, String value) {
    attributes.put(name, value);
  }

  /** Notes that -W named an attribute that jobs do not have. */
  void undefined() {
    undefined = true;
  }

  boolean hasUndefined() {
    return undefined;
  }

  /** Value of -W name=value; null when it was not given. */
  String attribute(String name) {
    return attributes.get(name);
  }

  void resource(String name, String value) {
    resources.put(name, value);
  }

  boolean has(char letter) {
    return values.containsKey(letter);
  }

  String get(char letter, String otherwise) {
    return values.getOrDefault(letter, otherwise);
  }

  Map<String, String> resources() {
    return resources;
  }

  /** The same without what these letters ask for. */
  Wishes without(Collection<Character> letters) {
    Wishes rest = over(new Wishes());
    rest.values.keySet().removeAll(letters);
    return rest;
  }

  /** These wishes, and the weaker ones where these are silent. */
  Wishes over(Wishes weaker) {
    Wishes both = new Wishes();
    both.values.putAll(weaker.values);
    both.values.putAll(values);
    both.resources.putAll(weaker.resources);
    both.resources.putAll(resources);
    both.attributes.putAll(weaker.attributes);
    both.attributes.putAll(attributes);
    return both;
  }
}
