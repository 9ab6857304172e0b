package io.millrace.server.gateway.operand;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.IndexSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Job identifiers as users write them: {@code 12}, {@code 12.server}, {@code 12.server@server},
 * {@code 12[]} and {@code 12[3]} for an array and a subjob, {@code 12[1-5:2,9]} for several.
 */
public final class JobIds {

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,12})(?:\\[(\\d{0,7})])?(?:\\.([^@]+))?(?:@(.+))?");

  private static final String STEPS = "\\d{1,7}(?:-\\d{1,7}(?::\\d{1,7})?)?";

  private static final Pattern PART =
      Pattern.compile("(\\d{1,12})\\[(" + STEPS + "(?:," + STEPS + ")*)](?:\\.([^@]+))?(?:@(.+))?");

  /**
   * @param number number of the job, the array or the subjob
   * @param id the full id, for messages
   */
  public record JobId(long number, String id) {}

  /**
   * Some subjobs of an array.
   *
   * @param id how messages name them
   */
  public record ArrayPart(JobId array, List<IndexSteps> indices, String id) {
    public boolean has(int index) {
      return indices.stream()
          .anyMatch(
              it ->
                  index >= it.getFirst()
                      && index <= it.getLast()
                      && (index - it.getFirst()) % it.getStep() == 0);
    }
  }

  private JobIds() {}

  /** Whether PBS would take the text for a job identifier rather than a destination. */
  public static boolean looksLikeJob(String text) {
    return !text.isEmpty() && Character.isDigit(text.charAt(0));
  }

  /** The identifier, or nothing when it is illegally formed or names another server. */
  public static Optional<JobId> parse(String text, String server) {
    Matcher match = FORM.matcher(text);
    if (!match.matches() || !names(match.group(3), server) || !names(match.group(4), server)) {
      return Optional.empty();
    }
    String index = match.group(2);
    long number = Long.parseLong(match.group(1));
    if (index != null && !index.isEmpty()) {
      if (Integer.parseInt(index) > JobNumbers.INDEX_MAX) {
        return Optional.empty();
      }
      number = JobNumbers.subjob(number, Integer.parseInt(index));
    }
    boolean array = index != null && index.isEmpty();
    String id = array ? number + "[]." + server : JobNumbers.id(number, server);
    return Optional.of(new JobId(number, id));
  }

  /** Several subjobs of an array; nothing for any other identifier. */
  public static Optional<ArrayPart> part(String text, String server) {
    Matcher match = PART.matcher(text);
    boolean several = match.matches() && match.group(2).chars().anyMatch(c -> c == '-' || c == ',');
    if (!several || !names(match.group(3), server) || !names(match.group(4), server)) {
      return Optional.empty();
    }
    List<IndexSteps> indices = new ArrayList<>();
    for (String part : match.group(2).split(",")) {
      String[] numbers = part.split("[-:]");
      int first = Integer.parseInt(numbers[0]);
      int last = numbers.length > 1 ? Integer.parseInt(numbers[1]) : first;
      int step = numbers.length > 2 ? Integer.parseInt(numbers[2]) : 1;
      if (first > last || step == 0) {
        return Optional.empty();
      }
      indices.add(new IndexSteps(first, last, step));
    }
    long number = Long.parseLong(match.group(1));
    String id = number + "[" + match.group(2) + "]." + server;
    return Optional.of(new ArrayPart(new JobId(number, number + "[]." + server), indices, id));
  }

  /** Whether the text is an identifier of a job or of several subjobs. */
  public static boolean legal(String text, String server) {
    return part(text, server).isPresent() || parse(text, server).isPresent();
  }

  public static boolean names(String given, String server) {
    return given == null || given.equalsIgnoreCase(server) || given.equals("default");
  }
}
