package io.millrace.server.gateway.request;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the options of qsub or qalter ask for, in PBS's letters. Absent letters were not given; an
 * option that stands twice counts with its last value, resources count by name.
 */
public final class JobOptions {

  private final Map<Character, String> values = new LinkedHashMap<>();
  private final Map<String, String> resources = new LinkedHashMap<>();
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private boolean undefined;
  private String readOnly = "";

  public void set(char letter, String value) {
    values.put(letter, value);
  }

  void attribute(String name, String value) {
    attributes.put(name, value);
  }

  /** Notes that -W named an attribute that jobs do not have. */
  void undefined() {
    undefined = true;
  }

  /** Notes that -W named an attribute that nobody sets, and how PBS says so. */
  void readOnly(String refusal) {
    readOnly = refusal;
  }

  /** What is said of an attribute that nobody sets; empty when none was named. */
  public String readOnly() {
    return readOnly;
  }

  public boolean hasUndefined() {
    return undefined;
  }

  /** Value of -W name=value; null when it was not given. */
  public String attribute(String name) {
    return attributes.get(name);
  }

  void resource(String name, String value) {
    resources.put(name, value);
  }

  public boolean has(char letter) {
    return values.containsKey(letter);
  }

  public String get(char letter, String otherwise) {
    return values.getOrDefault(letter, otherwise);
  }

  public Map<String, String> resources() {
    return resources;
  }

  /** These options without those of the letters. */
  JobOptions without(Collection<Character> letters) {
    JobOptions rest = over(new JobOptions());
    rest.values.keySet().removeAll(letters);
    return rest;
  }

  /** These options, and the weaker ones where these say nothing. */
  public JobOptions over(JobOptions weaker) {
    JobOptions both = new JobOptions();
    both.values.putAll(weaker.values);
    both.values.putAll(values);
    both.resources.putAll(weaker.resources);
    both.resources.putAll(resources);
    both.attributes.putAll(weaker.attributes);
    both.attributes.putAll(attributes);
    return both;
  }
}
